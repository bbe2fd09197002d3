/**
 * Calls and handlers for plain Java: methods that wait, loops over streams, and handlers on virtual
 * threads. No signature names a type of Pekko. For threads that may wait, platform or virtual, of a
 * node with real time: a simulated node refuses.
 */
@NullMarked
package io.millrace.api.blocking;

import org.jspecify.annotations.NullMarked;
