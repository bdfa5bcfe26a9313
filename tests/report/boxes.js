// Measures a page as the browser laid it out: what is cut, what overlaps, what can't be read.
// The value is a list of complaints, each with the text that it is about.
(() => {
  const complaints = []
  const say = (what, about) => complaints.push(what + ': ' + String(about).trim().slice(0, 60))
  const round = r => [r.left, r.top, r.right, r.bottom].map(Math.round).join(' ')

  // ---- words, with their boxes
  const hidden = element => !element.getClientRects().length || element.closest('title,details:not([open])>:not(summary)')
  const texts = []
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement
    if (!node.data.trim() || parent.closest('script,style,title') || hidden(parent)) continue
    for (const word of node.data.matchAll(/\S+/g)) { // a blank at the end of a line may hang over
      const range = document.createRange()
      range.setStart(node, word.index)
      range.setEnd(node, word.index + word[0].length)
      for (const box of range.getClientRects())
        if (box.width > 0.5) texts.push({ node, parent, box, text: word[0] })
    }
  }

  // ---- nothing is cut
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) say('the page is wider than the screen', root.scrollWidth)
  for (const element of document.querySelectorAll('body *')) {
    const style = getComputedStyle(element)
    if (hidden(element) || element.closest('svg,script')) continue
    if (style.textOverflow === 'ellipsis') say('an ellipsis', element.textContent)
    if (/hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1)
      say('hidden', element.textContent)
    if (/auto|scroll/.test(style.overflowX) && element.tagName !== 'PRE' && element.scrollWidth > element.clientWidth + 1)
      say('to be scrolled sideways', element.textContent)
  }
  const inside = (box, outer) => box.left >= outer.left - 1 && box.right <= outer.right + 1
  for (const { parent, box, text } of texts) {
    if (parent.closest('pre')) continue
    for (const around of ['td,th', 'section', 'svg', 'button', 'header', 'body']) {
      const outer = parent.closest(around)
      if (!outer || (around === 'td,th' && parent.closest('.axis'))) continue
      const room = outer.getBoundingClientRect()
      const high = around !== 'svg' || (box.top >= room.top - 1 && box.bottom <= room.bottom + 1)
      if (!inside(box, room) || !high)
        say('sticks out of its ' + outer.tagName.toLowerCase() + ' (' + round(box) + ' of ' + round(room) + ')', text)
    }
  }

  for (const cell of document.querySelectorAll('th[scope]')) // a column of single letters
    if (!hidden(cell) && cell.textContent.trim().length > 12 && cell.getBoundingClientRect().width < 80)
      say('squeezed', cell.textContent)

  // ---- nothing overlaps: boxes of letters have some air around them, which may
  const scrolled = texts.filter(t => !t.parent.closest('pre,.scroll'))
  scrolled.sort((a, b) => a.box.top - b.box.top)
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.25 * Math.min(a.height, b.height)
  for (let i = 0; i < scrolled.length; i++)
    for (let k = i + 1; k < scrolled.length && scrolled[k].box.top < scrolled[i].box.bottom; k++)
      if (meet(scrolled[i].box, scrolled[k].box))
        say('lies on "' + scrolled[k].text + '" (' + round(scrolled[i].box) + ')', scrolled[i].text)
  // Words need a gap to be two words: numbers of neighbouring cells must not run together.
  const cells = [...document.querySelectorAll('td.num,th.num')].filter(c => !hidden(c) && c.textContent.trim())
  const extent = cell => {
    const range = document.createRange()
    range.selectNodeContents(cell)
    return range.getBoundingClientRect()
  }
  for (const cell of cells) {
    const next = cell.nextElementSibling
    if (!next || !next.matches('.num') || !next.textContent.trim()) continue
    const a = extent(cell), b = extent(next)
    if (b.left - a.right < 4 && Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top))
      say('runs into "' + next.textContent + '"', cell.textContent)
  }
  const sections = [...document.querySelectorAll('section')].map(s => s.getBoundingClientRect())
  sections.forEach((a, i) => sections.slice(i + 1).forEach(b => {
    if (meet(a, b)) say('sections overlap', round(a) + ' and ' + round(b))
  }))
  const columns = new Set(sections.map(s => Math.round(s.left))).size
  const most = innerWidth >= 1500 ? 3 : innerWidth >= 900 ? 2 : 1
  if (columns > most) say('columns', columns)

  // ---- everything can be read: 4.5 is what WCAG 2 wants of contrast
  const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const known = new Map()
  const rgba = colour => {
    if (!known.has(colour)) {
      paint.clearRect(0, 0, 1, 1)
      paint.fillStyle = colour
      paint.fillRect(0, 0, 1, 1)
      known.set(colour, [...paint.getImageData(0, 0, 1, 1).data])
    }
    return known.get(colour)
  }
  const light = c => c.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgba(getComputedStyle(e).backgroundColor)
      if (colour[3] === 255) return colour
    }
    return [255, 255, 255, 255]
  }
  for (const { parent, text } of texts) {
    const style = getComputedStyle(parent), svg = parent.closest('svg')
    if (svg && parent.matches('.name:not(.out)')) continue // on a coloured node
    const pair = [light(rgba(svg ? style.fill : style.color)), light(ground(parent))].sort((a, b) => b - a)
    const contrast = (pair[0] + 0.05) / (pair[1] + 0.05)
    if (contrast < 4.5) say('contrast ' + contrast.toFixed(1), text)
  }
  return complaints
})()
