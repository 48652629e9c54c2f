import type { HelpWords } from '../../en/help/all.ts';
import type { Translated } from '../../translated.ts';
import { asleep } from './asleep.ts';
import { contention } from './contention.ts';
import { fair } from './fair.ts';
import { jvm } from './jvm.ts';
import { lost } from './lost.ts';
import { page } from './page.ts';
import { server } from './server.ts';
import { stuck } from './stuck.ts';

/** 中文帮助。 */
export const HELP: Translated<HelpWords> = { page, themes: { lost, stuck, asleep, fair, contention, server, jvm } };
