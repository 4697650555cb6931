import type { MDXComponents } from 'mdx/types';
import { siteOrigin } from '@/lib/pages/site';
import { docsElements } from './components/docs/elements';

/** What Next's MDX draws the pages of the docs with. */
export function useMDXComponents(): MDXComponents {
  return docsElements(siteOrigin());
}
