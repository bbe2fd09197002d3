/**
 * The JDK's clock, random numbers and common pool, which a simulation must decide. While classes of
 * Pekko, of Scala's futures and of the user's packages load, the agent rewrites their calls to
 * these parts of the JDK. Rewritten calls ask the simulation on the calling thread.
 */
@NullMarked
package io.millrace.testkit.internal.patch;

import org.jspecify.annotations.NullMarked;
