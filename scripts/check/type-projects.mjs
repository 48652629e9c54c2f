const ALL = ['.', 'web', 'e2e'];
/**
 * The TypeScript projects that contain files of a folder, or import them. The first match counts. Any other file
 * belongs to all projects.
 */
const PROJECTS_OF_FOLDERS = [
  [/^web\//, ['web']],
  [/^bench\/|^e2e\/(?:pages|scenarios|screens)\//, ['e2e']],
  [/^(?:server|library|e2e)\//, ['.', 'e2e']],
];
const TYPED = /\.tsx?$|tsconfig.*\.json$|^package-lock\.json$/;

/** The TypeScript projects whose types may be wrong after a change of these files. */
export function typeProjectsOf(files) {
  const projects = files
    .filter((file) => TYPED.test(file))
    .flatMap((file) => {
      const [, own] = PROJECTS_OF_FOLDERS.find(([folder]) => folder.test(file)) ?? [];
      return own ?? ALL;
    });
  return ALL.filter((project) => projects.includes(project));
}
