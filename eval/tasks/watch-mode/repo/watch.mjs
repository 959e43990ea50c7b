console.log('watching for changes')
setInterval(() => {}, 1000)
