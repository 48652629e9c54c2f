import { createContext } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';

/** The range of one lock's timeline to draw. */
export type PictureRequest = { readonly lockId: string; readonly from: RedisTime; readonly to: RedisTime };

/** Draws a timeline into a PNG file; null if there is nothing to draw. */
type MakePicture = (request: PictureRequest) => Promise<Blob | null>;

/**
 * How pages without a timeline get a picture of one. The app provides it, because drawing is loaded only when needed.
 */
export const PictureMaker = createContext<MakePicture | null>(null);
