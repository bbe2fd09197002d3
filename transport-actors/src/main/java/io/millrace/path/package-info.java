/**
 * What lies between the rings of submissions and the buffers of a driver: paths, in rooms, each of
 * which knows only those below it. No class here knows an actor or the loop; the exact list of
 * those that use what {@code java.util.concurrent} shares between threads is in {@code
 * MachineRulesTest}.
 */
@NullMarked
package io.millrace.path;

import org.jspecify.annotations.NullMarked;
