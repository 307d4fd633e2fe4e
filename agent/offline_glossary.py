"""What people say, and what the specification says for it: data for the offline model's second search.

Each row is a pattern in the question and the words the specification would use. Rows are about the language
as a whole, never about one question. Compared case-insensitively against the question's text.
"""

import re

SAYINGS: tuple[tuple[str, str], ...] = (
    # What goes wrong.
    (
        r"reject|refus|complain|fail|illegal|not allowed|forbid|must not|crash|die",
        "throw exception TypeError",
    ),
    (r"rais\w*|blow up|throw", "throw exception"),
    (r"parse[- ]time|syntax error|grammar|early", "Early Errors Syntax Error"),
    (r"range error|out of range|too (?:big|large|long)", "RangeError"),
    # Functions and calls.
    (r"callback|predicate", "callback IsCallable Call"),
    (r"compar(?:ator|e function)|sort (?:callback|function)", "comparator CompareArrayElements"),
    (r"default (?:value|param|argument|expression)", "Initializer FunctionDeclarationInstantiation formals"),
    (r"rest param\w*", "FunctionRestParameter"),
    (r"\barguments\[|arguments object", "arguments exotic object CreateMappedArgumentsObject"),
    (r"sloppy|non-?strict", "non-strict mode"),
    (r"hoist", "VarScopedDeclarations instantiation"),
    (r"temporal dead zone|\btdz\b|before (?:its )?initiali[sz]ation", "uninitialized binding ReferenceError"),
    (r"closure", "environment captures"),
    (r"tail call|stack overflow", "PrepareForTailCall tail position"),
    (r"=>|arrow function", "ArrowFunction"),
    (r"\bnew\.target", "NewTarget GetNewTarget"),
    # Classes.
    (r"\bsuper\s*\(|derived|extends", "SuperCall derived constructor Construct BindThisValue"),
    (r"field initiali|class field|public field", "ClassElement fields InitializeInstanceElements"),
    (r"#\w+\s+in\b", "relational operators private name PrivateElementFind"),
    (r"#\w+|private (?:name|field|method)", "private name element"),
    (r"static (?:block|init)", "ClassStaticBlock"),
    (r"getter|setter|accessor", "accessor property getter setter"),
    # Promises and jobs.
    (r"micro-?task|event loop|task queue|job queue", "Jobs HostEnqueuePromiseJob"),
    (r"unhandled rejection", "HostPromiseRejectionTracker"),
    (r"thenable", "then NewPromiseResolveThenableJob"),
    (r"\bawait\b", "Await"),
    (r"\byield\b", "Yield generator resume"),
    (r"async (?:generator|iterat)", "AsyncGenerator AsyncIterator"),
    (r"main thread|worker", "agent AgentCanSuspend"),
    # Objects, keys, arrays.
    (r"\bhole|\bgap|empty slot|sparse|missing index", "HasProperty kPresent present"),
    (r"key order|property order|enumeration order", "OwnPropertyKeys ascending chronological order"),
    (r"negative zero|-0\b", "-0𝔽 +0𝔽"),
    (r"frozen|freez\w*|seal", "SetIntegrityLevel frozen sealed non-configurable"),
    (r"non-?extensible|cannot be extended|preventextensions", "extensible"),
    (
        r"computed key|property key|\[\s*\w+\s*\(\)\s*\]",
        "ToPropertyKey EvaluatePropertyAccessWithExpressionKey",
    ),
    (r"\btrap\b", "Proxy trap internal method"),
    (r"proxy", "Proxy object internal method"),
    (r"\b\w+Array\(|typed array", "TypedArray"),
    (r"detach|transfer", "detached ArrayBuffer"),
    (r"length = |array-?like", "LengthOfArrayLike ToLength"),
    # Operators and syntax.
    (r"\btypeof\b", "typeof operator"),
    (r"\binstanceof\b", "InstanceofOperator"),
    (r"[^=!]==[^=]|loose(?:ly)? equal", "IsLooselyEqual"),
    (r"===|strict(?:ly)? equal", "IsStrictlyEqual"),
    (r">>>", "unsigned right shift operator"),
    (r">>(?!>)", "signed right shift operator signedRightShift"),
    (r"<<", "left shift operator leftShift"),
    (r"\*\*", "exponentiation exponentiate"),
    (r"\?\.", "optional chain OptionalChain"),
    (r"\?\?", "CoalesceExpression"),
    (r"\bdelete\b", "delete operator Delete"),
    (r"(?<!\.)!\[|!\{|!\w", "logical NOT operator ToBoolean"),
    (r"\[\] |\{\} ", "ToPrimitive"),
    (r"\w\]?\s=\s", "assignment operators PutValue"),
    (r"destructur|\{\s*\w+\s*\}\s*=|\[\s*\w+\s*\]\s*=", "BindingInitialization destructuring"),
    (r"spread|\.\.\.", "SpreadElement"),
    (r"template (?:literal|string)|`\s*\$\{|tagged", "TemplateLiteral"),
    (r"unknown global|undeclared|not declared|nothing called", "unresolvable Reference"),
    (r"comma operator", "comma operator"),
    # Statements.
    (r"for\s*\(\s*let|per[- ]iteration|which copy", "ForLoopEvaluation CreatePerIterationEnvironment"),
    (
        r"for[- ](?:await[- ])?of|for (?:await )?\([^)]*\bof\b",
        "for-of for await ForIn/OfHeadEvaluation iterator",
    ),
    (r"for[- ]in|for \([^)]*\bin\b", "for-in enumerate"),
    (
        r"block function|nested function|\{ function|function \w+\(\)\s*\{\s*\}",
        "FunctionDeclarations in blocks Annex B",
    ),
    (r"semicolon", "automatic semicolon insertion"),
    (r"\btry\b|\bcatch\b|\bfinally\b", "try statement Catch throw completion"),
    (r"label", "LabelledStatement"),
    (r"<!--|-->", "HTML-like comments"),
    # Modules and scripts.
    (r"\bexport\b", "ExportEntry module exports"),
    (r"\bimport\b", "ImportEntry module requests HostLoadImportedModule"),
    (r"link[- ]time|circular|cycle", "Link module linking ResolveExport"),
    (r"\beval\b", "PerformEval eval"),
    (r"\bcsp\b|string compilation", "HostEnsureCanCompileStrings"),
    # Text, numbers, dates.
    (r"reg(?:ular )?exp?(?:ression)?s?\b|/[^/\s]+/[dgimsuvy]*", "RegExp pattern"),
    (r"lastindex", "lastIndex RegExpBuiltinExec"),
    (r"\.replace|replacement", "GetSubstitution replacement"),
    (r"white ?space|\.trim", "WhiteSpace TrimString"),
    (r"surrogate|unicode", "code unit code point surrogate"),
    (r"json|stringify", "SerializeJSONProperty QuoteJSONString JSON"),
    (r"\b\d+n\b|bigint", "BigInt"),
    (r"invalid date|time value|\bdate\b", "Date time value"),
    (r"o\(n\)|linear time|complexity|big-o", "sublinear access times number of elements"),
    # Words of the trade.
    (r"magic|host", "host-defined implementation-defined"),
    (r"browser|web-?(?:compatible|legacy)|legacy", "Annex B web browsers legacy"),
    (r"observable", "observable from ECMAScript code"),
)

_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), words) for pattern, words in SAYINGS)


def in_the_words_of_the_specification(question: str) -> list[str]:
    """The specification's words for what a question says, in the order of the table, each once."""
    found = [word for pattern, words in _COMPILED if pattern.search(question) for word in words.split()]
    return list(dict.fromkeys(found))
