/** One node: starts and ends its workers, shakes hands with peers and assigns them to workers. */
@NullMarked
package io.millrace.engine;

import org.jspecify.annotations.NullMarked;
