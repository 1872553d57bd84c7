/**
 * A script that adds up how far the parts of a page move: `window.shift`, and `window.moved` with what moved, from where to where.
 * What follows a key or a click within half a second may move, where `isStrict` is false: so browsers count it.
 */
export const observeShifts = (isStrict: boolean) => `window.shift = 0
window.moved = new Set()
new PerformanceObserver((list) => {
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
  for (const { hadRecentInput, value, sources } of list.getEntries()) {
    if (hadRecentInput && !${isStrict}) continue
    window.shift += value
    for (const { node, previousRect, currentRect } of sources) {
      const element = node?.nodeType === 3 ? node.parentElement : node
      const name = element ? element.localName + (element.className ? '.' + element.className : '') : 'removed'
      const text = element?.textContent.slice(0, 30)
      window.moved.add(name + ' "' + text + '" ' + place(previousRect) + ' -> ' + place(currentRect))
    }
  }
}).observe({ type: 'layout-shift', buffered: true })`
