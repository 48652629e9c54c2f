import { LARGE_REFUSED, LARGE_SHOWN } from './hostile-files.ts';
import { testUploads } from './test-uploads.ts';

/* Hostile files of a hundred megabytes or a million lines. */

testUploads(LARGE_REFUSED, LARGE_SHOWN);
