// React as Debian has it, for pages of tests.

import { existsSync } from 'node:fs'
import { skip as skipBrowser } from './browser.js'
import { shared } from './shared.js'

const folder = '/usr/share/nodejs'

const files = {
  'react.js': `${folder}/react/umd/react.production.min.js`,
  'react-dom.js': `${folder}/react-dom/umd/react-dom.production.min.js`,
}

const page = `<!doctype html><ul id=list></ul><div id=root></div>
<script src=react.js></script><script src=react-dom.js></script>
<script type=importmap>{"imports":{"react":"./react-module.js"}}</script>
<script type=module>
  import { follow } from './livedelta.js'
  import { show } from './livedelta-dom.js'
  import * as hooks from './livedelta-react.js'
  Object.assign(window, { follow, show }, hooks)
</script>`

const module = 'export const { useCallback, useEffect, useMemo, useState, useSyncExternalStore } = React'

export const skip = skipBrowser || (!existsSync(files['react.js']) && 'left out: there is no React')

/** What tests share whose page has React, the client and its hooks. */
export const sharedWithReact = () => shared({ 'page.html': page, 'react-module.js': module }, files, { isLeftOut: skip })
