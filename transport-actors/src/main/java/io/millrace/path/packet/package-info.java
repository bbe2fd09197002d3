/**
 * The packets of one path: what is in the next one, when it goes, whether it arrived, and whether
 * the peer is there. Knows nothing of what frames carry. On the worker's thread.
 */
@NullMarked
package io.millrace.path.packet;

import org.jspecify.annotations.NullMarked;
