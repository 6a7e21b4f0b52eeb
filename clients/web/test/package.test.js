import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'

const folder = new URL('..', import.meta.url).pathname
const scratch = mkdtempSync(join(tmpdir(), 'livedelta-package-'))
after(() => rmSync(scratch, { recursive: true }))

const has = (program) => process.env.PATH.split(':').some((directory) => existsSync(join(directory, program)))
const without = (program) => !has(program) && `left out: there is no ${program}`
const adapters = ['dom', 'motion', 'react', 'store', 'tabs'].map((name) => [`livedelta-${name}.js`, 1000])
const budgets = { 'livedelta.js': 3200, ...Object.fromEntries(adapters) }

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

function tsc(...args) {
  try {
    execFileSync('tsc', args, { encoding: 'utf8' })
  } catch ({ stdout }) {
    assert.fail(stdout)
  }
}
