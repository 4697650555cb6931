import { useRouter } from 'next/navigation';
import { useCallback, useEffect } from 'react';

const pauseMs = 2_000;

/** Has the server draw the page anew, again and again while `moving`; answers the way to do it at once. */
export function useLivePage(moving: boolean): () => void {
  const router = useRouter();
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(() => router.refresh(), pauseMs);
    return () => clearInterval(timer);
  }, [moving, router]);
  return useCallback(() => router.refresh(), [router]);
}
