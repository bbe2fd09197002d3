/**
 * The ends of bulk transfers: where bytes come from ({@link io.millrace.api.bulk.BulkSource}),
 * where they go ({@link io.millrace.api.bulk.BulkTarget}), which files a peer may name ({@link
 * io.millrace.api.bulk.DirectoryPlacement}), and streams of bytes ({@link
 * io.millrace.api.bulk.BulkStreams}).
 */
@NullMarked
package io.millrace.api.bulk;

import org.jspecify.annotations.NullMarked;
