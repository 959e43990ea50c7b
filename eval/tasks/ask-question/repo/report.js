const date = new Date(Date.UTC(2026, 0, 2))
console.log(date.toString())
