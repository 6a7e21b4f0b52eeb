import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skip } from './support/browser.js'
import { RandomList, generator, seed } from './support/random.js'
import { shared } from './support/shared.js'

const versions = Number(process.env.VERSIONS ?? 2000)

const page = `<!doctype html><ul id=list></ul><script type=module>
  import { follow } from './livedelta.js'
  import { show, insertedAbove } from './livedelta-dom.js'
  import { glide, anchor } from './livedelta-motion.js'
  Object.assign(window, { follow, show, insertedAbove, glide, anchor })
</script>`

const tests = shared({ 'page.html': page })

/** In the page: shows a collection, and notes what becomes of nodes. */
function start(collection) {
  const list = document.querySelector('#list')
  const make = (name, text, id) => Object.assign(document.createElement(name), { textContent: text, id })
  const row = (item, id, node = make('li', '', id)) => {
    node.textContent = JSON.stringify(item)
    return node
  }
  const section = ({ items, ...header }, element = make('section', '', header.id)) => {
    if (!element.firstChild) element.append(make('h2'))
    element.firstChild.textContent = JSON.stringify(header)
    return element
  }
  let moves = { items: 0, sections: 0 }
  for (const name of ['moveBefore', 'insertBefore']) {
    const original = Element.prototype[name]
    Element.prototype[name] = function (node, next) {
      if (node.isConnected) moves[node.localName === 'li' ? 'items' : 'sections']++
      return original.call(this, node, next)
    }
  }
  const nodes = () => {
    const all = Array.from(list.querySelectorAll('li, section'))
    return new Map(all.map((node) => [node.localName + node.id, node]))
  }
  const replica = follow('/v1/clients/u42', { collection })
  show(replica, list, { row, section })
  let held = nodes()
  let deltas = 0
  replica.addEventListener('change', ({ detail }) => (deltas += detail?.kind === 'delta'))

  /** What is shown once the replica is at a version, and how it came about. */
  window.at = async (version) => {
    while (replica.snapshot.version !== version) {
      await new Promise((resolve) => replica.addEventListener('change', resolve, { once: true }))
    }
    const now = nodes()
    const sections = Array.from(list.children, ({ firstChild, children }) => ({
      ...JSON.parse(firstChild.textContent),
      items: Array.from(children).slice(1).map((node) => JSON.parse(node.textContent)),
    }))
    const replaced = [...now].filter(([id, node]) => held.has(id) && held.get(id) !== node).map(([id]) => id)
    const result = { sections, replaced, moves, deltas }
    held = now
    moves = { items: 0, sections: 0 }
    deltas = 0
    return result
  }
}

const title = `the DOM equals the snapshot after each of ${versions} versions, survivors keep their nodes, seed ${seed}`

test(title, { skip }, async () => {
  console.log(`seed ${seed}`)
  const random = generator(seed)
  const list = new RandomList(random)
  await tests.server.put('list', { ...list.next(), settings: { retention: { versions: 8 } } })
  const page = await tests.open()
  await page.call(start, 'list')
  let { version: previous } = await tests.server.get('list')
  await page.call((version) => window.at(version), previous)
  const total = { moved: 0, compared: 0 }
  for (let version = 1; version < versions; version++) {
    const isCut = random(50) === 0
    const { version: written } = await tests.server.put('list', list.next())
    if (isCut) tests.site.cut()
    const [newest, { sections, replaced, moves, deltas }] = await Promise.all([
      tests.server.get('list'), page.call((version) => window.at(version), written),
    ])
    assert.deepEqual(sections, newest.sections, `version ${version}, seed ${seed}`)
    assert.deepEqual(replaced, [], `version ${version}, seed ${seed}`)
    if (deltas === 1) {
      const { steps = [] } = await tests.server.between('list', previous, newest.version)
      const count = (of) => steps.reduce((sum, { move }) => sum + (move?.[of]?.length ?? 0), 0)
      const told = { items: count('items'), sections: count('sections') }
      assert.deepEqual(moves, told, `version ${version}, seed ${seed}`)
      total.moved += moves.items + moves.sections
      total.compared++
    }
    previous = newest.version
  }
  console.log(`${total.moved} moves in ${total.compared} deltas, as the service counts them`)
})

/** Shows a collection of rows with an input each; resolves once it is filled. */
async function showInputs(collection, style = '') {
  document.querySelector('#list').style = style
  const replica = (window.replica = follow('/v1/clients/u42', { collection, token: window.token }))
  const row = ({ id }, _, node = document.createElement('li')) => {
    if (!node.firstChild) node.append(Object.assign(document.createElement('input'), { id, value: id }))
    return node
  }
  const list = document.querySelector('#list')
  const around = (change, update) => glide(list, 'li', 100_000)(change, () => anchor(list, 'li')(change, update))
  show(replica, list, { row, around })
  replica.addEventListener('change', ({ detail }) => (window.change = detail ?? window.change))
  window.next = async (version) => {
    while (replica.snapshot.version !== version) {
      await new Promise((resolve) => replica.addEventListener('change', resolve, { once: true }))
    }
  }
}

const put = async (page, name, ...ids) => {
  const { version } = await tests.server.put(name, ids.map((id) => ({ id })))
  await page.call((version) => window.next(version), version)
}

test('sections whose ids are elsewhere are shown, and keep their elements', { skip }, async () => {
  const section = (key, ...items) => ({ key, items: items.map((key) => ({ key })) })
  const put = (...sections) => tests.server.put('keyed', { settings: { idPath: '/key' }, sections })
  await put(section('s', 'a', 'b'), section('t', 'c'))
  const page = await tests.open()
  const texts = (version) => page.call(async (version) => {
    const list = document.querySelector('#list')
    window.keyed ??= follow('/v1/clients/u42', { collection: 'keyed', id: ({ key }) => key })
    const row = ({ key }, id, node = document.createElement('li')) => Object.assign(node, { textContent: key })
    if (!list.firstChild) show(keyed, list, { row, section: ({ key }, element = document.createElement('section')) => Object.assign(element, { title: key }) })
    while (keyed.snapshot.version !== version) await new Promise((resolve) => keyed.addEventListener('change', resolve, { once: true }))
    const [first] = list.children
    window.first ??= first
    return [window.first === list.lastChild, Array.from(list.children, (element) => element.title + element.textContent)]
  }, version)
  assert.deepEqual((await texts((await tests.server.get('keyed')).version))[1], ['sab', 'tc'])
  const { version } = await put(section('t', 'b', 'c'), section('s', 'a'))
  assert.deepEqual(await texts(version), [true, ['tbc', 'sa']])
  await page.close() // a browser has six connections to a service, for all its pages
})

test('focus and selection survive a move of the row that has them', { skip }, async () => {
  const page = await tests.open()
  await page.call(showInputs, 'focus')
  await put(page, 'focus', 'a', 'b', 'c')
  await page.call(() => document.querySelector('#c').focus())
  await put(page, 'focus', 'c', 'a', 'b')
  assert.equal(await page.call(() => document.activeElement.id), 'c')
  const order = await page.call(() => Array.from(document.querySelectorAll('input'), ({ id }) => id))
  assert.deepEqual(order, ['c', 'a', 'b'])
})

test('focus, caret and selection survive a move without moveBefore', { skip }, async () => {
  const page = await tests.open()
  await page.call(() => {
    delete Element.prototype.moveBefore
    const list = document.querySelector('#list')
    window.replica = follow('/v1/clients/u42', { collection: 'carets' })
    const row = ({ id }, _, node = document.createElement('li')) => {
      if (!node.firstChild) {
        const input = Object.assign(document.createElement('input'), { id, value: `text of ${id}` })
        node.append(input, Object.assign(document.createElement('b'), { textContent: `bold ${id}`, contentEditable: true }), `plain ${id}`)
      }
      return node
    }
    show(replica, list, { row })
    window.next = async (version) => {
      while (replica.snapshot.version !== version) await new Promise((resolve) => replica.addEventListener('change', resolve, { once: true }))
    }
  })
  await put(page, 'carets', 'a', 'b', 'c', 'd', 'e')
  const state = () => {
    const { activeElement: { id, localName, selectionStart, selectionEnd } } = document
    return [localName, id, selectionStart ?? null, selectionEnd ?? null, String(getSelection())]
  }
  /** Moves each row away from where it is, and back; what is in use stays what it is. */
  const turned = async (name) => {
    const before = await page.call(state)
    for (const order of ['eabcd', 'bcdea', 'edcba', 'abcde']) {
      await put(page, 'carets', ...order)
      const text = () => Array.from(document.querySelectorAll('input'), ({ id }) => id).join('')
      assert.equal(await page.call(text), order)
      assert.deepEqual(await page.call(state), before, `${name}, ${order}`)
    }
    return before
  }
  await page.call(() => {
    const input = document.querySelector('#e')
    input.focus()
    input.setSelectionRange(2, 5)
  })
  assert.deepEqual(await turned('an input'), ['input', 'e', 2, 5, 'xt '])
  await page.call(() => {
    const text = document.querySelector('#b').nextSibling.firstChild
    text.parentNode.focus()
    getSelection().setBaseAndExtent(text, 4, text, 1)
  })
  assert.deepEqual(await turned('an editable text'), ['b', '', null, null, 'old'])
  await page.call(() => {
    document.activeElement.blur()
    const text = document.querySelector('#c').parentNode.lastChild
    getSelection().setBaseAndExtent(text, 1, text, 4)
  })
  assert.deepEqual(await turned('a plain text'), ['body', '', null, null, 'lai'])
  await page.close()
})

test('rows glide, new ones fade in, and none does where less motion is wished for', { skip }, async () => {
  const page = await tests.open()
  const animated = () => Array.from(document.querySelectorAll('li'), (node) => {
    const [keyframe = {}] = node.getAnimations().flatMap((one) => one.effect.getKeyframes())
    return ['translate', 'opacity'].filter((name) => name in keyframe).join()
  })
  await page.call(showInputs, 'motion')
  await put(page, 'motion', 'a', 'b', 'c')
  assert.deepEqual(await page.call(animated), ['', '', ''])
  await put(page, 'motion', 'b', 'a', 'c', 'd')
  assert.deepEqual(await page.call(animated), ['translate', 'translate', '', 'opacity'])
  await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value: 'reduce' }] })
  await page.call(() => document.getAnimations().forEach((one) => one.cancel()))
  await put(page, 'motion', 'd', 'a', 'c', 'b')
  assert.deepEqual(await page.call(animated), ['', '', '', ''])
})

test('what is in view stays there when rows come above it, without help of the browser', { skip }, async () => {
  const page = await tests.open()
  await page.call(() => (CSS.supports = () => false))
  await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value: 'reduce' }] })
  await page.call(showInputs, 'anchor', 'height: 100px; overflow: auto; overflow-anchor: none')
  const ids = Array.from({ length: 100 }, (_, n) => `r${n}`)
  await put(page, 'anchor', ...ids)
  const top = () => document.querySelector('#r50').getBoundingClientRect().top
  await page.call(() => document.querySelector('#r50').scrollIntoView())
  const before = await page.call(top)
  await put(page, 'anchor', 'new 1', 'new 2', ...ids, 'new 3')
  assert.equal(await page.call(top), before)
  assert.deepEqual(await page.call(() => insertedAbove(replica, change, 'r50')), ['new 1', 'new 2'])
})

test('a page that was frozen, offline, or whose clock was set catches up', { skip }, async () => {
  const page = await tests.open()
  await page.call(showInputs, 'wake')
  await put(page, 'wake', 'a')
  await page.send('Page.setWebLifecycleState', { state: 'frozen' })
  await tests.server.put('wake', [{ id: 'b' }])
  await page.send('Page.setWebLifecycleState', { state: 'active' })
  await put(page, 'wake', 'b', 'c')

  await page.send('Network.enable')
  const conditions = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
  await page.send('Network.emulateNetworkConditions', { offline: true, ...conditions })
  tests.site.cut()
  await tests.server.put('wake', [{ id: 'd' }])
  await page.send('Network.emulateNetworkConditions', { offline: false, ...conditions })
  await put(page, 'wake', 'd', 'e')

  for (const hours of [2, -2]) {
    const problem = page.call(() => new Promise((resolve) => {
      replica.addEventListener('problem', ({ detail }) => resolve(detail.code), { once: true })
    }))
    await page.call((hours) => {
      const now = Date.now
      Date.now = () => now() + hours * 3_600_000
    }, hours)
    assert.equal(await problem, 'silence')
    await put(page, 'wake', `${hours}`)
  }
})

test('a page goes on after the service was killed, and with another token when one expired', { skip }, async () => {
  const page = await tests.open()
  const { intercept } = tests.site
  const asked = []
  let valid = 'Bearer first'
  tests.site.intercept = (request, response) => {
    const { headers: { authorization }, url } = request
    if (url.includes('/guarded/')) asked.push(authorization)
    if (!url.includes('/guarded/') || authorization === valid) return intercept(request, response)
    response.writeHead(401, { 'Content-Type': 'application/problem+json' })
    response.end('{"status":401,"code":"token-expired"}')
    return true
  }
  await page.call(() => {
    let held = 'first'
    window.token = (isStale) => (held = isStale ? 'second' : held)
  })
  await page.call(showInputs, 'guarded')
  await put(page, 'guarded', 'a')
  await tests.server.kill()
  await tests.server.restart()
  await put(page, 'guarded', 'a', 'b')
  assert.equal(asked.at(-1), 'Bearer first')
  valid = 'Bearer second'
  tests.site.cut()
  await put(page, 'guarded', 'b', 'c', 'a')
  assert.deepEqual(await page.call(() => Array.from(document.querySelectorAll('input'), ({ id }) => id)), ['b', 'c', 'a'])
  assert.deepEqual(asked.slice(-2), ['Bearer first', 'Bearer second'])
  tests.site.intercept = intercept
  await page.close() // a browser has six connections to a service, for all its pages
})

test('a page that is seen again after long silence asks at once', { skip }, async () => {
  const page = await tests.open()
  await page.call(showInputs, 'seen')
  await put(page, 'seen', 'a')
  const asked = tests.site.next(/seen/)
  await page.call(() => {
    const now = Date.now() + 30_000
    Date.now = () => now
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })
  await asked
  await put(page, 'seen', 'b')
})
