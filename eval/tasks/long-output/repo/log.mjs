for (let line = 0; line < 4000; line++) {
  console.log(line === 2345 ? 'ERROR E-4471 disk is full' : `line ${line}: everything is as it should be today`)
}
