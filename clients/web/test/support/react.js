// React as Debian has it, for pages of tests.

const folder = '/usr/share/nodejs'

export const reactFiles = {
  'react.js': `${folder}/react/umd/react.production.min.js`,
  'react-dom.js': `${folder}/react-dom/umd/react-dom.production.min.js`,
}

export const react = {
  page: `<!doctype html><ul id=list></ul><div id=root></div>
<script src=react.js></script><script src=react-dom.js></script>
<script type=importmap>{"imports":{"react":"./react-module.js"}}</script>
<script type=module>
  import { follow } from './livedelta.js'
  import { show } from './livedelta-dom.js'
  import * as hooks from './livedelta-react.js'
  Object.assign(window, { follow, show }, hooks)
</script>`,
  module: 'export const { useCallback, useEffect, useState, useSyncExternalStore } = React',
}
