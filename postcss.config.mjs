import { fileURLToPath } from 'node:url';
import globalData from '@csstools/postcss-global-data';
import customMedia from 'postcss-custom-media';

/** What every build of a page does to its styles: widths by name (media.css of the client and of the game page). */
export default {
  plugins: [
    globalData({
      files: ['apps/web/src/ui/media.css', 'packages/studio/src/page/media.css'].map((file) =>
        fileURLToPath(new URL(file, import.meta.url)),
      ),
    }),
    customMedia(),
  ],
};
