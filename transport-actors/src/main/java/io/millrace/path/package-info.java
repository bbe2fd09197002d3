/**
 * The layer between the rings of submissions and the buffers of a driver: paths, in rooms, each
 * with knowledge only of the rooms below. No class here knows an actor, the loop or {@code
 * java.util.concurrent}: {@code MachineRulesTest}.
 */
@NullMarked
package io.millrace.path;

import org.jspecify.annotations.NullMarked;
