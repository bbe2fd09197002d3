/**
 * What a simulation must decide and the JDK would decide otherwise: the clock, random numbers, the
 * common pool. Calls to them in Pekko, in Scala's futures and in packages that the user names are
 * rewritten while their classes load, and ask the simulation that runs on the calling thread.
 */
@NullMarked
package io.millrace.testkit.internal.patch;

import org.jspecify.annotations.NullMarked;
