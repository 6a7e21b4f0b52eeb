// The samples of the README for Vue and Svelte: with what they need of those frameworks by contract, and with the real
// packages where there are: FRAMEWORKS names a folder in which `npm install vue svelte` was done.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { skip } from './support/browser.js'
import { shared } from './support/shared.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const sample = (name) => [...readme.matchAll(/```js\n([^]*?)```/g)].map(([, text]) => text).find((text) => text.includes(`from '${name}'`))

// Vue's documentation of shallowRef, watchEffect and effectScope; Svelte's store contract, and that of readable.
const contracts = {
  vue: `
    let scope, effect
    export const shallowRef = (value) => {
      const effects = new Set()
      return {
        get value() { if (effect) effects.add(effect); return value },
        set value(next) { if (next !== value) { value = next; effects.forEach((run) => run()) } },
      }
    }
    export const watchEffect = (run) => { effect = run; run(); effect = undefined }
    export const onScopeDispose = (end) => scope.push(end)
    export const effectScope = () => {
      const ends = []
      return { run(work) { scope = ends; return work() }, stop: () => ends.forEach((end) => end()) }
    }`,
  svelte: `
    export const readable = (value, start) => {
      const subscribers = new Set()
      let stop
      const set = (next) => { value = next; subscribers.forEach((run) => run(value)) }
      return {
        subscribe(run) {
          subscribers.add(run)
          if (subscribers.size === 1) stop = start(set)
          run(value)
          return () => { subscribers.delete(run); if (!subscribers.size) stop() }
        },
      }
    }`,
}

const scratch = mkdtempSync(join(tmpdir(), 'livedelta-frameworks-'))
after(() => rmSync(scratch, { recursive: true }))
const { FRAMEWORKS: folder } = process.env
const real = (name) => (folder && existsSync(join(folder, 'node_modules', name)) ? join(folder, 'node_modules', name) : undefined)

/** A module of a real package, with what it needs. */
function bundled(name, code) {
  const [entry, target] = [join(folder, `entry-${name}.js`), join(scratch, `${name}.js`)]
  writeFileSync(entry, code)
  execFileSync('esbuild', [entry, '--bundle', '--format=esm', '--conditions=browser', `--outfile=${target}`, '--log-level=error'])
  rmSync(entry)
  return readFileSync(target, 'utf8')
}

const page = (kind) => `<!doctype html><ul id=list></ul>
<script type=importmap>{"imports":{"vue":"./vue-${kind}.js","svelte/store":"./svelte-${kind}.js"}}</script>
<script type=module>
  import * as vue from 'vue'
  import { useCollection } from './vue-sample.js'
  import { collection } from './svelte-sample.js'
  import { follow } from './livedelta.js'
  Object.assign(window, { vue, useCollection, collection, follow })
</script>`

const pages = {
  'contract.html': page('contract'), 'vue-contract.js': contracts.vue, 'svelte-contract.js': contracts.svelte,
  'vue-sample.js': sample('vue'), 'svelte-sample.js': sample('svelte/store'),
}
if (real('vue') && real('svelte')) {
  pages['real.html'] = page('real')
  pages['vue-real.js'] = bundled('vue', "export * from 'vue/dist/vue.esm-browser.prod.js'")
  pages['svelte-real.js'] = bundled('svelte', "export { readable } from 'svelte/store'")
}
const tests = shared(pages)

for (const kind of ['contract', 'real']) {
  const isLeftOut = skip || (!pages[`${kind}.html`] && 'left out: FRAMEWORKS names no folder with vue and svelte')

  test(`the sample for Vue shows each version, and ends with its scope (${kind})`, { skip: isLeftOut }, async () => {
    const name = `vue-${kind}`
    await tests.server.put(name, [{ id: 'a', title: 'A' }, { id: 'b', title: 'B' }])
    const tab = await tests.open(`${kind}.html`)
    await tab.call((collection) => {
      window.texts = []
      const items = ({ sections }) => sections.flatMap(({ items }) => items.map(({ title }) => title)).join()
      if (vue.createApp) {
        // A component, with a template.
        window.app = vue.createApp({
          setup: () => (window.used = useCollection('/v1/clients/u42', { collection })),
          template: '<div v-for="section in snapshot.sections"><li v-for="item in section.items" :key="item.id">{{ item.title }}</li></div>',
        })
        app.mount('#list')
        window.text = () => Array.from(document.querySelectorAll('li'), ({ textContent }) => textContent).join()
        window.stop = () => app.unmount()
      } else {
        const scope = vue.effectScope()
        scope.run(() => (window.used = useCollection('/v1/clients/u42', { collection })))
        vue.watchEffect(() => texts.push(items(used.snapshot.value)))
        window.text = () => texts.at(-1)
        window.stop = () => scope.stop()
      }
      window.until = async (wanted) => {
        while (text() !== wanted) await new Promise(requestAnimationFrame)
      }
    }, name)
    await tab.call(() => until('A,B'))
    const first = await tab.call(() => {
      window.node = document.querySelector('li')
      return used.status.value
    })
    assert.equal(first, 'live')
    await tests.server.put(name, [{ id: 'b', title: 'B' }, { id: 'a', title: 'A2' }])
    await tab.call(() => until('B,A2'))
    assert(await tab.call(() => !node || node.textContent === 'A2'), 'a row keeps its element')
    assert.equal(await tab.call(async () => {
      const closed = new Promise((resolve) => used.replica.addEventListener('change', () => used.replica.status === 'closed' && resolve('closed')))
      stop()
      return closed
    }), 'closed')
    await tab.close()
  })

  test(`the sample for Svelte follows while somebody subscribes, and goes on from where it was (${kind})`, { skip: isLeftOut }, async () => {
    const name = `svelte-${kind}`
    await tests.server.put(name, [{ id: 'a' }])
    const tab = await tests.open(`${kind}.html`)
    await tab.call((name) => {
      window.store = collection('/v1/clients/u42', { collection: name })
      window.ids = ({ sections }) => sections.flatMap(({ items }) => items.map(({ id }) => id)).join()
      window.until = (wanted, seen = []) => new Promise((resolve) => {
        let stop
        stop = store.subscribe((value) => {
          seen.push(ids(value))
          if (ids(value) === wanted) setTimeout(() => resolve((stop(), seen)))
        })
      })
    }, name)
    assert.deepEqual(await tab.call(() => until('a')), ['', 'a'])
    await tests.server.put(name, [{ id: 'b' }, { id: 'a' }])
    // From where it was: the new subscriber is given what was held, not nothing.
    assert.deepEqual(await tab.call(() => until('b,a')), ['a', 'b,a'])
    await tab.close()
  })
}
