#!/usr/bin/env node
// Where programs that know the original by its files look for its command.
import './dist/cli.js'
