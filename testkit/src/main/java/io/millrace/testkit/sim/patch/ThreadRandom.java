package io.millrace.testkit.sim.patch;

import static java.lang.constant.DirectMethodHandleDesc.Kind.STATIC;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * A draw from a thread's generator goes to {@link ThreadRandomCalls}, which takes the generator as
 * its first argument and need not use it. So it does not matter by which way the generator came.
 */
record ThreadRandom() implements Rewrite {
  @Override
  public void emit(CodeBuilder code, InvokeInstruction call) {
    code.invokestatic(
        Descriptors.THREAD_CALLS,
        call.name().stringValue(),
        call.typeSymbol().insertParameterTypes(0, Descriptors.RANDOM));
  }

  @Override
  public DirectMethodHandleDesc reference(DirectMethodHandleDesc called) {
    MethodTypeDesc type = called.invocationType().changeParameterType(0, Descriptors.RANDOM);
    return MethodHandleDesc.ofMethod(STATIC, Descriptors.THREAD_CALLS, called.methodName(), type);
  }
}
