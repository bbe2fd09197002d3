/**
 * {@code millrace bench}: the same calls on Millrace and on the other transports, interleaved in
 * one run.
 *
 * <p>Every peer gets two processes of its own, a server and a client, each pinned to one core. The
 * processes start once; the parent then lets a single pair at a time work, round after round, while
 * the other pairs sleep.
 */
@NullMarked
package io.millrace.samples.bench;

import org.jspecify.annotations.NullMarked;
