// What Chromium traces of a page while something happens in it.

const scripts = ['FunctionCall', 'RunMicrotasks', 'EvaluateScript', 'FireAnimationFrame', 'TimerFire']

/** The events that are traced during an action. */
export async function trace(browser, page, action) {
  const events = []
  const listener = ({ method, params }) => method === 'Tracing.dataCollected' && events.push(...params.value)
  const complete = browser.next('Tracing.tracingComplete')
  browser.on('message', listener)
  await page.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline', 'v8', 'v8.execute'] } })
  await action()
  await page.send('Tracing.end')
  await complete
  browser.off('message', listener)
  return events
}

/** When each call of a script began, and the milliseconds of the processor that it took; outermost calls only. */
export function scriptCalls(events) {
  const calls = events.filter(({ ph, name }) => ph === 'X' && scripts.includes(name))
  calls.sort((a, b) => a.ts - b.ts || b.dur - a.dur)
  let end = 0
  const times = []
  for (const { ts, dur, tdur = dur } of calls) {
    if (ts < end) continue
    end = ts + dur
    times.push({ ts, time: tdur / 1000 })
  }
  return times
}

export const scriptTimes = (events) => scriptCalls(events).map(({ time }) => time)
