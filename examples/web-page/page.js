const element = document.querySelector('kedge-session')
const response = await fetch('/begin', { method: 'POST' })
Object.assign(element, await response.json())

const news = document.querySelector('#news')
element.addEventListener('kedge-answered', ({ detail }) => {
  news.textContent = `You decided: ${detail.answer.kind} ${detail.request.tool?.name ?? ''}`
})
