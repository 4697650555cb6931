import type { Call } from '../../platform/context';
import { toPaperPdf } from '../documents/paper-pdf';
import { toUbl } from '../documents/ubl';
import { getPaper } from './read-papers';

/** A file of a paper. */
interface PaperFile {
  name: string;
  mediaType: string;
  body: string | Uint8Array;
}

/**
 * Renders a paper for its buyer and its seller. Two files of one paper and format are equal.
 * @throws {ParleyError} as {@link getPaper}
 */
export async function paperFile({ ctx, input }: Call<{ id: string; format: 'pdf' | 'xml' }>): Promise<PaperFile> {
  const paper = await getPaper({ ctx, input });
  const name = `parley-${paper.number}.${input.format}`;
  if (input.format === 'xml') return { name, mediaType: 'application/xml; charset=utf-8', body: toUbl(paper) };
  return { name, mediaType: 'application/pdf', body: await toPaperPdf(paper) };
}
