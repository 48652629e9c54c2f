import { costStories } from '../testing/cost-stories.ts';
import { FILES } from '../testing/test-place.ts';

costStories(FILES);
