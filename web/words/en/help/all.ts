import type { HelpText } from '../../help-text.ts';
import { asleep } from './asleep.ts';
import { contention } from './contention.ts';
import { fair } from './fair.ts';
import { jvm } from './jvm.ts';
import { lost } from './lost.ts';
import { page } from './page.ts';
import { server } from './server.ts';
import { stuck } from './stuck.ts';

/** The help in English. */
export const HELP = { page, themes: { lost, stuck, asleep, fair, contention, server, jvm } };
type Themes = typeof HELP.themes;
/** The texts of a theme, in any language. */
export type HelpTheme<T extends keyof Themes> = { readonly [I in keyof Themes[T]]: HelpText };
export type HelpWords = { page: typeof page; themes: { readonly [T in keyof Themes]: HelpTheme<T> } };
