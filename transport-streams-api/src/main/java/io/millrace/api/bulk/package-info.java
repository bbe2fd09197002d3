/**
 * The ends of bulk transfers: sources of bytes ({@link io.millrace.api.bulk.BulkSource}), targets
 * of bytes ({@link io.millrace.api.bulk.BulkTarget}), the files that a peer may name ({@link
 * io.millrace.api.bulk.DirectoryPlacement}), and streams of bytes ({@link
 * io.millrace.api.bulk.BulkStreams}).
 */
@NullMarked
package io.millrace.api.bulk;

import org.jspecify.annotations.NullMarked;
