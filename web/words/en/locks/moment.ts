/** The cursor and the selection that all pages share: banners, links between pages, links that cannot be followed. */
export const moment = {
  asOf: (time: string) => `As of ${time}`,
  goLive: 'Go live',
  forgotten: (time: string) => `${time} is not in memory.`,
  memoryBack: (clock: string) => `Memory goes back to ${clock}.`,
  reading: (time: string) => `Loading the state at ${time}.`,
  brokenLink: (parameters: string) => `Part of this link was not understood: ${parameters}.`,
  brokenLinkHint: 'It has been ignored.',
  elsewhere: (recording: string) => `This link points into the recording ${recording}, which is not open here.`,
  elsewhereHint: (recording: string) => `To follow it: lockscope open ${recording}`,
  momentForgotten: (since: string) => `This moment has been dropped: memory goes back to ${since}.`,
  momentUnseen: (since: string) => `No data this early: the first event is from ${since}.`,
  momentForgottenHint: 'If it was recorded: lockscope open FILE',
  markForgotten: 'The selected event has been dropped from memory.',
  markForgottenHint: 'The rest of the link is shown.',
};
