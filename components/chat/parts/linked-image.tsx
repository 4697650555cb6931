import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/controls/button';
import { revealInvisible } from '../../ui/display/untrusted-text';
import { toast } from '../../ui/overlays/toast';
import { requestImageUrl } from '../api';
import { useProblem } from '../use-problem';

/** An image at another host: loaded on click and through Parley, so that the host receives no data about the reader. */
export function LinkedImage({ url, name }: { url: string; name: string }): ReactNode {
  const t = useTranslations('parts.linkedPicture');
  const problemOf = useProblem();
  const [src, setSrc] = useState<string | null>(null);
  const [pending, setPending] = useState(false);

  async function load(): Promise<void> {
    setPending(true);
    try {
      setSrc((await requestImageUrl(url)).src);
    } catch (error) {
      toast({ tone: 'danger', text: t('notLoaded', { reason: problemOf(error, t('tryAgain')) }) });
    }
    setPending(false);
  }

  if (src === null) {
    return (
      <Button onClick={() => void load()} pending={pending} size="sm">
        {t('load')}
      </Button>
    );
  }
  return (
    <img
      alt={revealInvisible(name)}
      className="h-auto max-h-96 w-auto max-w-full basis-full object-contain"
      decoding="async"
      onError={() => {
        setSrc(null);
        toast({ tone: 'danger', text: t('failed') });
      }}
      src={src}
    />
  );
}
