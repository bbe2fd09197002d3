/**
 * The packets of one path: the content and the time of the next packet, the arrival of each packet,
 * and the presence of the peer. Knows nothing of the content of frames. On the worker's thread.
 */
@NullMarked
package io.millrace.path.packet;

import org.jspecify.annotations.NullMarked;
