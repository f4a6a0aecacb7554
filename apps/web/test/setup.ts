import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// Its second is too short on a busy machine; nothing here is a measurement.
configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
});
