import * as account from '../account';
import * as catalog from '../catalog';
import * as chat from '../chat';
import * as concierge from '../concierge';
import * as console from '../console';
import * as discovery from '../discovery';
import * as docs from '../docs';
import * as embeddings from '../embeddings';
import * as hub from '../hub';
import * as identity from '../identity';
import * as moderation from '../moderation';
import * as notifications from '../notifications';
import * as payments from '../payments';
import * as probes from '../probes';
import * as reviews from '../reviews';
import * as status from '../status';
import * as tasks from '../tasks';
import * as tokens from '../tokens';
import * as site from './site';

/**
 * The modules that pages import, as `@/lib/<name>`. `next.config.mjs` redirects these imports to this object, so that
 * the process has one copy of each. Pages bundle only stateless modules: schemas, limits, types and texts.
 */
const modules = {
  account,
  catalog,
  chat,
  concierge,
  console,
  discovery,
  docs,
  embeddings,
  hub,
  identity,
  moderation,
  notifications,
  payments,
  probes,
  reviews,
  status,
  tasks,
  tokens,
  'pages/site': site,
};

/** The key on `globalThis` under which bundles of pages find the modules. */
const key = Symbol.for('parley.modules');

/** Publishes the modules that the pages of this process import. Must be called before Next starts. */
export function publishModules(): void {
  Object.assign(globalThis, { [key]: modules });
}
