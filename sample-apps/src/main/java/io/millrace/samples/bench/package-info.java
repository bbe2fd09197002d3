/**
 * {@code millrace bench}: the same calls on Millrace and on its peers, interleaved in one run.
 *
 * <p>Every peer gets two processes of its own, a server and a client, each pinned to one core. They
 * are started once; the parent then lets one pair at a time work, round after round, while the
 * others sleep.
 */
@NullMarked
package io.millrace.samples.bench;

import org.jspecify.annotations.NullMarked;
