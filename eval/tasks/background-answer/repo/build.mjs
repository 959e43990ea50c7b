setTimeout(() => console.log('built 1.2.3'), 200)
