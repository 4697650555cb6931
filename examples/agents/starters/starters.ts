import type { Handler } from '@parley/agent/serve';
import * as calendar from './calendar';
import * as illustrator from './illustrator';
import * as quiz from './quiz';
import { card, handle } from './regex-helper';

/** The agents by slug. */
export const starters: Record<string, { card: { name: string }; handle: Handler }> = {
  calendar,
  illustrator,
  quiz,
  'regex-helper': { card, handle },
};
