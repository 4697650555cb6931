import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useFormat } from '../../ui/display/format';
import type { ArtifactView } from './read-artifact';

/** An artifact's kind and size. */
export function ArtifactFacts({ view }: { view: ArtifactView }): ReactNode {
  const t = useTranslations('parts.artifact');
  const format = useFormat();
  const kind = view.kind === 'parts' ? t('parts', { count: view.pieces.length }) : t(`kind.${view.kind}`);
  return view.size > 0 ? t('facts', { kind, size: format.bytes(view.size) }) : kind;
}
