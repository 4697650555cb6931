import { useRouter } from 'next/navigation';
import { useCallback, useEffect } from 'react';

const pauseMs = 2_000;

/** Refreshes the page from the server periodically while `moving`; returns a function that refreshes immediately. */
export function usePageRefresh(moving: boolean): () => void {
  const router = useRouter();
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(() => router.refresh(), pauseMs);
    return () => clearInterval(timer);
  }, [moving, router]);
  return useCallback(() => router.refresh(), [router]);
}
