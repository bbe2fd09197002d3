/**
 * What lies between the rings of submissions and the buffers of a driver: paths, in rooms, each of
 * which knows only those below it. No class here knows an actor, the loop or {@code
 * java.util.concurrent}: {@code MachineRulesTest}.
 */
@NullMarked
package io.millrace.path;

import org.jspecify.annotations.NullMarked;
