import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { binary } from './support/server.js'

const folder = new URL('..', import.meta.url).pathname
const scratch = mkdtempSync(join(tmpdir(), 'livedelta-package-'))
after(() => rmSync(scratch, { recursive: true }))

const has = (program) => process.env.PATH.split(':').some((directory) => existsSync(join(directory, program)))
const without = (program) => !has(program) && `left out: there is no ${program}`
const larger = { 'livedelta.js': 3100, 'livedelta-dom.js': 1150, 'livedelta-edits.js': 1050, 'livedelta-motion.js': 1500, 'livedelta-outbox.js': 1400, 'livedelta-virtual.js': 1500 }
const adapters = ['many', 'react', 'store', 'tabs', 'view'].map((name) => [`livedelta-${name}.js`, 1000])
const budgets = { ...larger, ...Object.fromEntries(adapters) }

for (const [name, most] of Object.entries(budgets)) {
  test(`${name} is at most ${most} bytes, minified and gzipped`, { skip: without('esbuild') }, () => {
    const minified = execFileSync('esbuild', ['--minify', '--format=esm', folder + name])
    const size = gzipSync(minified, { level: 9 }).length
    console.log(`${name}: ${minified.length} minified, ${size} gzipped`)
    assert(size <= most, `${size} bytes`)
  })
}

const modern = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'node']
const lenient = [...modern, '--lib', 'es2022,dom,dom.iterable']
const strict = ['--strict', ...lenient]

test('the declarations have the names and members of the sources', { skip: without('tsc') }, () => {
  const files = Object.keys(budgets)
  const inferred = join(scratch, 'inferred')
  const sources = files.map((name) => folder + name)
  tsc('--allowJs', '--declaration', '--emitDeclarationOnly', '--outDir', inferred, ...lenient, ...sources)
  const comparison = files.map((name, n) => `
    import * as source${n} from '${inferred}/${name}'
    import * as declared${n} from '${folder}${name}'
    export const names${n}: Same<keyof typeof source${n}, keyof typeof declared${n}> = true`)
  const members = 'export const members: Same<keyof source0.Replica, keyof declared0.Replica> = true'
  const same = 'type Same<A, B> = [A, B] extends [B, A] ? true : never'
  writeFileSync(join(scratch, 'same.ts'), [...comparison, members, same].join('\n'))
  tsc('--noEmit', '--skipLibCheck', ...strict, join(scratch, 'same.ts'))
})

test('the declarations allow what is right and refuse what is wrong', { skip: without('tsc') }, () => {
  tsc('--noEmit', ...strict, join(folder, 'test/types.ts'))
})

/** Packs the package as it is published, and puts it where an app has what it installed; returns the app's folder. */
function installed() {
  const app = join(scratch, 'app')
  const target = join(app, 'node_modules', 'livedelta')
  if (existsSync(target)) return app
  const env = { ...process.env, npm_config_cache: join(scratch, 'cache'), npm_config_update_notifier: 'false' }
  const packed = execFileSync('npm', ['pack', '--json', '--offline', '--pack-destination', scratch, folder], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [{ filename, files }] = JSON.parse(packed)
  const modules = [...Object.keys(budgets), 'node/writer.js']
  const wanted = [...modules.flatMap((name) => [name, name.replace('.js', '.d.ts')]), 'LICENSE', 'README.md', 'package.json']
  assert.deepEqual(files.map(({ path }) => path).sort(), wanted.sort())
  execFileSync('tar', ['-xzf', filename], { cwd: scratch })
  mkdirSync(join(app, 'node_modules'), { recursive: true })
  cpSync(join(scratch, 'package'), target, { recursive: true })
  writeFileSync(join(app, 'package.json'), '{"type":"module"}')
  return app
}

test('the package that npm makes has each module with its declarations, and can be imported', { skip: without('npm') }, () => {
  const app = installed()
  const modules = ['livedelta', ...['dom', 'edits', 'many', 'motion', 'outbox', 'store', 'tabs', 'view', 'virtual', 'writer'].map((name) => `livedelta/${name}`)]
  const script = `${modules.map((name, n) => `import * as m${n} from '${name}'`).join('\n')}
    console.log(JSON.stringify([${modules.map((_, n) => `Object.keys(m${n}).sort()`)}]))`
  writeFileSync(join(app, 'main.js'), script)
  const run = (...args) => execFileSync(...args, { cwd: app, encoding: 'utf8' }).trim()
  const names = JSON.parse(run('node', ['main.js']))
  assert.deepEqual(names, [['Replica', 'events', 'failure', 'feed', 'follow', 'merge', 'parse'], ['insertedAbove', 'isInUse', 'place', 'show'], ['edited', 'send'], ['followAll'], ['anchor', 'glide', 'transition'], ['Outbox'], ['forget', 'keep', 'load'], ['share'], ['view'], ['virtual'], ['Collection', 'Disconnected', 'OutcomeUnknown', 'Problem', 'Service', 'edits', 'put', 'remove']])
  const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')
  assert.equal(JSON.parse(read('../package.json')).version, run(binary, ['--version']).split(' ').at(-1))
  assert.equal(read('../LICENSE'), read('../../../LICENSE'))
})

/** What the text around the samples of the README says that there is. */
const GIVEN = `
  import type * as live from 'livedelta'
  declare const url: string, text: string, scroller: Element
  declare const toast: (text: string) => void
  declare const render: (sections: live.Snapshot['sections'], total?: number) => void, row: (item: live.Item, id: string, node?: ChildNode) => ChildNode`

test('strict TypeScript accepts each sample of the README, from the package', { skip: without('npm') || without('tsc') }, () => {
  const app = installed()
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  // Those for Vue and Svelte are JavaScript: frameworks.test.js runs them.
  const samples = [...readme.matchAll(/```(?:js|ts)\n([^]*?)```/g)].map(([, text]) => text).filter((text) => !/from '(vue|svelte)/.test(text))
  assert(samples.length > 6)
  writeFileSync(join(app, 'node.d.ts'), 'declare const process: { env: Record<string, string | undefined> }')
  const files = samples.map((text, n) => {
    const declares = (name, type) => (new RegExp(`(const|let) (\\[|{ )?${name}\\b`).test(text) ? '' : `declare const ${name}: ${type}\n`)
    const given = `${GIVEN}\n${declares('inbox', 'live.Replica')}${declares('main', 'HTMLElement')}`
    const code = text.replace(/'\.\/livedelta(?:-(\w+))?\.js'/g, (_, part) => `'livedelta${part ? `/${part}` : ''}'`)
    const file = join(app, `sample${n}.ts`)
    writeFileSync(file, `${given}${code}\nexport {}\n`)
    return file
  })
  const node16 = ['--module', 'node16', '--moduleResolution', 'node16', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable']
  tsc('--noEmit', '--strict', ...node16, join(app, 'node.d.ts'), ...files)
})

function tsc(...args) {
  try {
    execFileSync('tsc', args, { encoding: 'utf8' })
  } catch ({ stdout }) {
    assert.fail(stdout)
  }
}
