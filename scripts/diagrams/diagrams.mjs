// The five diagrams of the docs: `node scripts/diagrams/diagrams.mjs` writes docs/images/*.svg. A test compares.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { arrow, box, drawing, frame, label } from './drawing.mjs'

function permissionDecision() {
  const steps = [
    [['PreToolUse hooks', 'can change the input'], 'deny', ''],
    [['Deny rules'], 'match', ''],
    [['Ask rules'], '', 'match: ask'],
    [['Permission mode'], 'deny', 'allow'],
    [['Allow rules'], '', 'match'],
    [['canUseTool', 'a user decides'], 'deny', 'allow'],
  ]
  const last = steps.length - 1
  const top = (at) => 56 + at * 72
  const parts = [
    box(290, 8, 180, 34, 'Tool call'),
    box(10, 220, 150, 60, ['Denied', 'the model reads why'], 'bad'),
    box(620, 290, 130, 60, ['Allowed', 'the tool runs'], 'good'),
  ]
  for (const [at, [text, left, right]] of steps.entries()) {
    const y = top(at)
    parts.push(arrow(`380,${y - (at === 0 ? 14 : 22)} 380,${y - 1}`))
    parts.push(box(290, y, 180, 50, text, at === last ? 'wait' : 'box'))
    if (left) {
      const end = 250 + Math.sign(at - 2.5) * (at === 3 ? 0 : 22)
      parts.push(
        label(253, y + 17, left).replace('<text', '<text class="small"'),
        arrow(`290,${y + 25} 215,${y + 25} 162,${end}`),
      )
    }
    if (right === '') continue
    parts.push(label(476, y + 17, right, 'start').replace('<text', '<text class="small"'))
    if (right.endsWith('ask'))
      parts.push(arrow(`470,${y + 25} 590,${y + 25} 590,${top(last) - 12} 440,${top(last) - 12} 440,${top(last) - 1}`))
    else parts.push(arrow(`470,${y + 25} 560,${y + 25} 618,${320 + (at - 4) * 18}`))
  }
  return drawing(760, 490, 'How Kedge decides a tool call: the first step that decides wins', parts)
}

function whereTheAgentRuns() {
  const kinds = [
    [['Your process', 'query()'], ['Agent', 'default: 6 ms, 0.3 MB'], '', 'good'],
    [['Your process', "isolation: 'process'"], ['Child process', 'a crash stays there'], 'stdio', 'box'],
    [['Your process', 'pathToClaudeCodeExecutable'], ['Any program', 'that speaks the protocol'], 'stdio', 'box'],
    [['Your process', 'transport'], ['Worker or machine', 'behind your channel'], 'messages', 'box'],
  ]
  const parts = kinds.flatMap(([from, to, by, look], at) => {
    const y = 16 + at * 84
    const inside = at === 0
    return [
      box(20, y, 260, 60, from),
      arrow(`280,${y + 30} 419,${y + 30}`, inside ? 'function calls' : by),
      box(420, y, 260, 60, to, look),
    ]
  })
  return drawing(700, 350, 'Where the agent runs', parts)
}

function sessionLife() {
  const parts = [
    box(20, 90, 120, 50, ['Prompt']),
    arrow('140,115 199,115'),
    box(200, 80, 170, 70, ['Turn', 'model and tools in a loop']),
    arrow('370,115 479,115', 'needs a user'),
    box(480, 90, 140, 50, ['Request waits'], 'wait'),
    arrow('550,90 550,30 285,30 285,79', 'answer', [0, 12]),
    arrow('620,115 729,115', 'no answer yet'),
    box(730, 80, 170, 70, ['Parked', 'no process, no memory'], 'wait'),
    arrow('815,150 815,250 330,250 330,151', 'answer from any interface: any worker continues', [0, -8]),
    arrow('240,150 240,199'),
    box(160, 200, 140, 50, ['Result', 'exactly one'], 'good'),
    arrow('160,225 80,225 80,141', 'next prompt', [-4, 12]),
  ]
  return drawing(920, 275, 'The life of a session: prompt, turn, request, parked, result', parts)
}

function cluster() {
  const parts = [
    box(20, 30, 150, 44, ['Browser, phone']),
    box(20, 90, 150, 44, ['Your product']),
    box(20, 150, 150, 44, ['Editor, webhook']),
    frame(240, 14, 190, 196, 'Nodes: kedge serve'),
    box(260, 50, 150, 60, ['Node 1', 'HTTP API, web app']),
    box(260, 130, 150, 60, ['Node 2']),
    arrow('170,52 258,72'),
    arrow('170,112 258,92'),
    arrow('170,172 258,160'),
    box(500, 70, 140, 110, ['PostgreSQL', 'sessions, logs,', 'requests, runs'], 'good'),
    arrow('410,80 498,105'),
    arrow('410,160 498,145'),
    frame(740, 14, 190, 196, 'Workers: kedge worker'),
    box(760, 50, 150, 60, ['Worker 1', 'runs turns']),
    box(760, 130, 150, 60, ['Worker 2', 'runs turns']),
    arrow('760,80 642,105', 'claims runs', [0, -24]),
    arrow('760,160 642,145'),
    arrow('835,190 835,249'),
    box(760, 250, 150, 44, ['Model APIs']),
    box(500, 250, 140, 44, ['Workspaces', 'files of sessions']),
    arrow('780,190 642,262'),
  ]
  return drawing(
    950,
    310,
    'A cluster: nodes serve HTTP, workers run turns, PostgreSQL holds everything between them',
    parts,
  )
}

function trust() {
  const parts = [
    frame(20, 10, 220, 250, 'A folder contains'),
    box(40, 44, 180, 60, ['Deny and ask rules']),
    box(40, 116, 180, 60, ['Texts', 'CLAUDE.md, skills, agents']),
    box(40, 188, 180, 60, ['Deeds', 'hooks, servers, allow rules']),
    arrow('220,74 519,74', 'always'),
    arrow('220,146 519,146', "marked as the project's words"),
    arrow('220,218 309,218'),
    box(310, 192, 140, 52, ['Trusted?', 'you decide, once'], 'wait'),
    arrow('450,218 519,218', 'yes'),
    arrow('380,244 380,281', 'no', [14, 0]),
    box(300, 282, 160, 34, ['Ignored'], 'bad'),
    frame(520, 10, 200, 250, 'The session'),
    box(540, 44, 160, 60, ['restricted by them'], 'good'),
    box(540, 116, 160, 60, ['reads them'], 'good'),
    box(540, 188, 160, 60, ['uses them'], 'good'),
    label(480, 300, ['No folder sets endpoints, keys, proxies, or PATH.'], 'start'),
  ]
  return drawing(860, 326, 'Trust: which parts of a folder Kedge uses', parts)
}

export const DIAGRAMS = {
  'permission-decision.svg': permissionDecision,
  'where-the-agent-runs.svg': whereTheAgentRuns,
  'session-life.svg': sessionLife,
  'cluster.svg': cluster,
  'trust.svg': trust,
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, draw] of Object.entries(DIAGRAMS))
    writeFileSync(fileURLToPath(new URL(`../../docs/images/${name}`, import.meta.url)), draw())
}
