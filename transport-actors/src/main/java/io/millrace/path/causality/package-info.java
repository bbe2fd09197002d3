/**
 * Which transfers of this node wait for which, over all of its workers: each worker's group of
 * slots, and what becomes of those that wait.
 */
@NullMarked
package io.millrace.path.causality;

import org.jspecify.annotations.NullMarked;
