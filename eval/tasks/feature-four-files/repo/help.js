export const HELP = `count FILE…: counts lines

  --help   show this`
