/** A node: starts and ends its workers, shakes hands with peers and assigns peers to workers. */
@NullMarked
package io.millrace.engine;

import org.jspecify.annotations.NullMarked;
