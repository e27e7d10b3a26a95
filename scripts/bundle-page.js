/** The page of `nodecluster web`: what its modules import, in one script, and its styles in one sheet. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PAGE = 'src/clients/web/page';

/** @returns {{files: Map<string, Uint8Array>, inputs: string[]}} by name; what they contain, relative to the project */
export function bundlePage() {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: [`${PAGE}/main.js`, `${PAGE}/style/main.css`].map((file) => ({
      in: file,
      out: 'bundle',
    })),
    outdir: PAGE,
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
    metafile: true,
  });
  return {
    files: new Map(outputFiles.map(({ path: file, contents }) => [path.basename(file), contents])),
    inputs: Object.keys(metafile.inputs),
  };
}
