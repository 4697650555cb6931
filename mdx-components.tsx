import type { MDXComponents } from 'mdx/types';
import { docsElements } from './components/docs/elements';
import { siteOrigin } from './lib/http/guard/middleware-helpers';

/** What Next's MDX draws the pages of the docs with. */
export function useMDXComponents(): MDXComponents {
  return docsElements(siteOrigin());
}
