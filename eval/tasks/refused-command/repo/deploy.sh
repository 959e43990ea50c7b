#!/bin/sh
touch deployed
