/** The staged show: captions, cards, controls. */
export const stage = {
  title: 'Two threads, one lock',
};
