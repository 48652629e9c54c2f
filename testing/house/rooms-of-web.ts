/**
 * The rows of the import table for the rooms of the page, the lowest room first. `shared`: what all of them may import.
 */
export function roomsOfWeb(shared: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const upToData = [...shared, 'web/url', 'web/words'];
  const upToCursor = [...shared, 'web/ui', 'web/words', 'web/keys', 'web/url', 'web/data'];
  const upToParts = [...upToCursor, 'web/choices', 'web/cursor', 'web/range', 'web/share', 'web/parts'];
  // imports that are allowed for code that computes a picture without React
  const ofPictures = [...shared, 'web/ui', 'web/words', 'web/data/live', 'web/data/window'];
  const upToLayout = ['web/timeline/model', 'web/timeline/layout'];
  const upToPicture = [...upToLayout, 'web/timeline/draw', 'web/timeline/store', 'web/timeline/picture'];
  const upToStage = [...upToParts, 'web/timeline'];
  const upToBeats = ['web/stage/script', 'web/stage/captions', 'web/stage/beats'];

  return {
    'web/choices': [],
    'web/words': ['shared/base', 'shared/doctor', 'shared/insights', 'shared/wire', 'web/choices'],
    'web/url': shared,
    'web/ui': ['shared/base', 'web/choices', 'web/words'],
    'web/ui/table': ['web/ui', 'web/words'],
    'web/keys': [...shared, 'web/words'],
    'web/charts': ['shared/base', 'shared/wire', 'web/choices', 'web/ui', 'web/words'],
    'web/data/http': upToData,
    'web/data/live': [...upToData, 'web/data/http'],
    'web/data/window': [...upToData, 'web/data/http', 'web/data/live'],
    'web/data/queries': [...upToData, 'web/data/http', 'web/data/live'],
    'web/cursor': upToCursor,
    'web/range': [...upToCursor, 'web/cursor'],
    'web/share': upToCursor,
    'web/parts': upToParts,
    'web/monitor': upToParts,
    'web/verdicts': [...upToParts, 'web/monitor'],
    'web/events': upToParts,
    'web/locks/columns': [...upToParts, 'web/verdicts'],
    'web/locks': [...upToParts, 'web/verdicts'],
    'web/lock': [...upToParts, 'web/charts', 'web/verdicts', 'web/events'],
    'web/graph': upToParts,
    'web/waits': upToParts,
    'web/waits/compare': [...upToParts, 'web/waits'],
    'web/timeline/model': [...ofPictures, 'web/parts/people.ts'],
    'web/timeline/layout': [...ofPictures, 'web/timeline/model'],
    'web/timeline/draw/pen': [...ofPictures, ...upToLayout],
    'web/timeline/draw/lanes': [...ofPictures, ...upToLayout, 'web/timeline/draw/pen'],
    'web/timeline/draw/layers': [...ofPictures, ...upToLayout, 'web/timeline/draw/pen', 'web/timeline/draw/lanes'],
    'web/timeline/draw': [...ofPictures, ...upToLayout],
    'web/timeline/store': [...upToCursor, 'web/choices', 'web/cursor', ...upToLayout],
    'web/timeline/picture': [
      ...upToCursor,
      'web/cursor',
      'web/share',
      ...upToLayout,
      'web/timeline/draw',
      'web/timeline/store',
    ],
    'web/timeline/input': [...upToCursor, 'web/choices', 'web/cursor', ...upToPicture],
    'web/timeline/view': [...upToParts, 'web/events', ...upToPicture, 'web/timeline/input'],
    'web/timeline': [...upToParts, 'web/events'],
    'web/stage/script': shared,
    'web/stage/captions': [...ofPictures, 'web/stage/script'],
    'web/stage/beats': [...ofPictures, 'web/stage/script', 'web/stage/captions'],
    'web/stage/playback': [...ofPictures, 'web/timeline/layout', ...upToBeats],
    'web/stage/view': [...upToParts, ...upToBeats, 'web/stage/playback', 'web/stage/styles'],
    'web/stage/lanes': [...upToStage, ...upToBeats, 'web/stage/playback', 'web/stage/view/use-fit.ts'],
    'web/stage': upToStage,
    'web/demo': [...upToStage, 'web/stage'],
    'web/clients': [...upToParts, 'web/lock'],
    'web/doctor': upToParts,
    'web/fleet': upToParts,
    'web/recordings': upToParts,
    'web/overview': [...upToParts, 'web/charts', 'web/verdicts', 'web/locks'],
    'web/dumps': upToParts,
    'web/health': [...upToParts, 'web/monitor'],
    'web/pages': [
      ...upToStage,
      'web/charts',
      'web/monitor',
      'web/verdicts',
      'web/events',
      'web/locks',
      'web/lock',
      'web/stage',
      'web/demo',
      'web/graph',
      'web/waits',
      'web/clients',
      'web/doctor',
      'web/recordings',
      'web/fleet',
      'web/health',
      'web/overview',
    ],
    'web/app': [...shared, 'web'],
    'web/app/navigation': [...upToParts, 'web/pages'],
    'web/app/find': [...upToParts, 'web/demo', 'web/app/navigation'],
    web: [...shared, 'web'],
  };
}
