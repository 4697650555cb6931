'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { callApi } from '../../forms/call-api';

/** Marks the alerts that the page shows as seen. If this fails, they are new again the next time. */
export function AlertsSeen({ until }: { until: string }): null {
  const router = useRouter();
  useEffect(() => {
    void callApi('PUT', '/api/spending/alerts/seen', { until });
    // The header, which announces them, persists across navigations.
    return () => router.refresh();
  }, [until, router]);
  return null;
}
