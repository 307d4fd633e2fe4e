"""What people say, and what the specification says for it: data for the offline model's second search.

Each row is a pattern in the question and the words the specification would use. Rows are about the language
as a whole, never about one question. Compared case-insensitively against the question's text.
"""

import re

SAYINGS: tuple[tuple[str, str], ...] = (
    # Operators and expressions.
    (r"\btypeof\b", "typeof operator evaluation"),
    (r"\binstanceof\b|hasInstance", "InstanceofOperator OrdinaryHasInstance"),
    (r"#\w+\s+in\b", "relational operators evaluation PrivateElementFind"),
    (r"[^=!]==[^=]|loose(?:ly)? equal", "IsLooselyEqual ToPrimitive ToNumber"),
    (r"===|strict(?:ly)? equal", "IsStrictlyEqual"),
    (r"Object\.is\b|same ?value", "SameValue SameValueZero"),
    (r">>>", "unsignedRightShift"),
    (r">>(?!>)", "signedRightShift leftShift"),
    (r"<<", "leftShift"),
    (r"\*\*|exponent", "exponentiate"),
    (r"\?\.", "optional chains OptionalChain early errors"),
    (r"\?\?", "CoalesceExpression evaluation"),
    (r"\bdelete\b", "delete operator evaluation"),
    (r"!\[|!\{|!!|truth|fals[ey]\b.*coerc", "ToBoolean logical NOT operator"),
    (r"\]\s*=(?!=|>)|\w\.\w+\s*=(?!=|>)", "assignment operators evaluation PutValue"),
    (
        r"\[\s*\w+\(.*\)\s*\]|computed (?:key|property|member)",
        "EvaluatePropertyAccessWithExpressionKey ToPropertyKey",
    ),
    (r"\w\[-?\d|property key|\bkeys?\b.*(?:string|convert)", "ToPropertyKey CanonicalNumericIndexString"),
    (
        r"destructur|\{\s*\w+\s*\}\s*=|\[\s*\w+\s*\]\s*=",
        "BindingInitialization DestructuringAssignmentEvaluation",
    ),
    (r"spread|\.\.\.", "spread element ArrayAccumulation CopyDataProperties"),
    (r"tagged|template (?:literal|string)|template right|`\s*\$\{", "template literals GetTemplateObject"),
    (r"comma operator", "comma operator evaluation"),
    (r"string concat|\+ operator|addition", "ApplyStringOrNumericBinaryOperator"),
    (r"less than|greater than|compar\w+ (?:two )?(?:string|number|bigint)", "IsLessThan"),
    (r"\bnew\.target", "NewTarget GetNewTarget"),
    # Functions, arguments, scope.
    (
        r"default (?:value|param|argument|expression)|\(\s*\w+\s*=\s*[^=]",
        "FunctionDeclarationInstantiation IteratorBindingInitialization",
    ),
    (r"\barguments\[|arguments object|arguments\.", "CreateMappedArgumentsObject arguments exotic objects"),
    (r"\blength\b.*(?:parameter|function)|rest param", "ExpectedArgumentCount length of built-in functions"),
    (
        r"function (?:in|inside) a block|nested function|block[- ](?:level )?function|\{[^}]*function \w+\(",
        "BlockDeclarationInstantiation FunctionDeclarationInstantiation Annex B block-level functions",
    ),
    (
        r"temporal dead zone|\btdz\b|uninitiali[sz]ed|before (?:its )?(?:initiali[sz]ation|declaration)",
        "GetBindingValue uninitialized binding",
    ),
    (r"ReferenceError", "ReferenceError GetBindingValue uninitialized GetValue"),
    (r"hoist|var (?:and|or) let|redeclar", "VarScopedDeclarations GlobalDeclarationInstantiation"),
    (r"sloppy|non-?strict|strict mode", "strict mode code"),
    (
        r"unknown global|undeclared|not declared|nothing called|unresolvable",
        "IsUnresolvableReference GetValue PutValue",
    ),
    (
        r"global object|globalThis|top[- ]level var",
        "GlobalDeclarationInstantiation global environment record",
    ),
    (r"\bthis\b.*(?:arrow|callback|undefined)|`this`", "ResolveThisBinding OrdinaryCallBindThis"),
    (r"=>|arrow function", "arrow function definitions"),
    (r"tail call|stack overflow", "PrepareForTailCall tail position calls"),
    (r"\beval\b", "PerformEval EvalDeclarationInstantiation"),
    (r"\bcsp\b|string[- ]compilation|new Function", "HostEnsureCanCompileStrings CreateDynamicFunction"),
    (r"\bcallback\b|predicate|callable", "IsCallable Call"),
    # Classes.
    (r"\bsuper\s*\(|derived|extends", "SuperCall evaluation BindThisValue GetThisBinding Construct"),
    (r"super(?:\.|\[| property)|home object", "MakeSuperPropertyReference GetSuperBase"),
    (r"field initiali|class field|public field|initialiser", "InitializeInstanceElements DefineField"),
    (
        r"#\w+|private (?:name|field|method|element)",
        "PrivateGet PrivateSet PrivateElementFind private names early errors",
    ),
    (r"static (?:block|init)", "ClassStaticBlockDefinition evaluation"),
    (r"\bclass\b", "ClassDefinitionEvaluation"),
    # Iteration and generators.
    (
        r"for\s*\(\s*(?:let|const)\b[^)]*;|per[- ]iteration|which copy",
        "ForLoopEvaluation CreatePerIterationEnvironment ForBodyEvaluation",
    ),
    (r"for[- ]await", "for-in for-of for-await statements"),
    (
        r"for[- ](?:await[- ])?of|for (?:await )?\([^)]*\bof\b",
        "ForIn/OfHeadEvaluation ForIn/OfBodyEvaluation for-of statements %ArrayIteratorPrototype%.next",
    ),
    (r"for[- ]in|for \([^)]*\bin\b|enumerat", "EnumerateObjectProperties for-in statements"),
    (r"iterator.*(?:clos|return)|early exit|\bbreak\b", "IteratorClose"),
    (r"async (?:generator|iterat)", "AsyncGeneratorYield Await AsyncGeneratorStart"),
    (r"\byield\b", "Yield GeneratorYield yield expression evaluation"),
    (r"iterator helper|iterator\.prototype", "Iterator Helper Objects"),
    (r"\btry\b|\bcatch\b|\bfinally\b", "try statement evaluation CatchClauseEvaluation"),
    (r"label", "labelled statements LabelledEvaluation"),
    (r"\bswitch\b", "CaseBlockEvaluation switch statement"),
    # Promises and jobs.
    (r"micro-?task|event loop|task queue|job queue", "Jobs HostEnqueuePromiseJob"),
    (r"unhandled", "HostPromiseRejectionTracker"),
    (r"thenable|\.then\b", "PerformPromiseThen NewPromiseResolveThenableJob promise resolve functions"),
    (r"promise\.(?:all|any|race)", "PerformPromiseAll PerformPromiseAny PerformPromiseRace"),
    (r"\bawait\b", "Await"),
    (r"main thread|can block|suspend|\bworker\b", "AgentCanSuspend agents DoWait"),
    # Objects and properties.
    (
        r"ownkeys|(?:key|property|enumeration) order|order of (?:the )?(?:keys|properties)",
        "OrdinaryOwnPropertyKeys invariants of the essential internal methods",
    ),
    (r"frozen|freez\w*|\bseal", "SetIntegrityLevel DefinePropertyOrThrow TestIntegrityLevel"),
    (
        r"non-?extensible|cannot be extended|preventextensions|extensib",
        "invariants of the essential internal methods OrdinaryPreventExtensions",
    ),
    (
        r"non-?configurable|non-?writable|redefin|defineproperty",
        "ValidateAndApplyPropertyDescriptor OrdinaryDefineOwnProperty",
    ),
    (r"setter|receiver|reflect\.set", "OrdinarySetWithOwnDescriptor"),
    (r"getter|accessor|reflect\.get\b", "OrdinaryGet accessor property"),
    (r"reflect\.ownkeys", "OrdinaryOwnPropertyKeys"),
    (r"__proto__|prototype chain|setprototypeof", "OrdinarySetPrototypeOf Object.prototype.__proto__"),
    (r"\btraps?\b|\bproxy|proxies", "Proxy object internal methods and internal slots"),
    (r"tostringtag|\[object", "Object.prototype.toString"),
    (r"valueof|toprimitive|coerc", "ToPrimitive OrdinaryToPrimitive"),
    # Arrays and collections.
    (
        r"compar(?:ator|e function)|sort (?:callback|function)|\.sort\b",
        "CompareArrayElements SortIndexedProperties",
    ),
    (r"\bhole|\bgap\b|empty slot|sparse|missing index|\[1, ,", "HasProperty kPresent present"),
    (r"length = |array-?like|2\*\*53", "LengthOfArrayLike ToLength"),
    (r"array.*\blength\b|set(?:ting)? (?:the )?length", "ArraySetLength"),
    (r"species|subclass\w* (?:of )?array", "ArraySpeciesCreate SpeciesConstructor"),
    (r"(?:\b[A-Z]\w+)Array\(|typed ?array", "TypedArraySetElement TypedArray [[Set]] IsValidIntegerIndex"),
    (r"detach|transfer|resiz", "IsDetachedBuffer TypedArray out of bounds ArrayBuffer"),
    (r"negative zero|-0\b", "-0𝔽 +0𝔽"),
    (
        r"o\(n\)|linear time|complexity|big-o|hash table",
        "sublinear access times Map Set Objects number of elements",
    ),
    (r"weak ?(?:ref|map|set)|finali[sz]", "WeakRef FinalizationRegistry liveness CanBeHeldWeakly"),
    (r"atomics\.wait", "DoWait ValidateIntegerTypedArray"),
    (r"atomics|shared ?array", "Atomics SharedArrayBuffer ValidateAtomicAccess"),
    # Modules.
    (r"\bexport\b", "module static semantics early errors ExportEntry records ResolveExport"),
    (r"dynamic import|import\(", "EvaluateImportCall HostLoadImportedModule"),
    (r"\bimport\b", "HostLoadImportedModule ImportEntry module requests"),
    (r"link[- ]time|circular|cycle", "InnerModuleLinking InitializeEnvironment"),
    (r"top[- ]level await", "ExecuteAsyncModule async module evaluation"),
    # Text, numbers, dates, JSON.
    (
        r"pattern grammar|/\\\\|identityescape|two grammars|regexp\('",
        "Patterns grammar Regular Expressions Patterns Annex B",
    ),
    (r"lastindex|\bexec\b|sticky", "RegExpBuiltinExec"),
    (r"\.replace|replacement|\$\d", "GetSubstitution"),
    (r"reg(?:ular )?exp?(?:ression)?s?\b|/[^/\s]+/[dgimsuvy]*", "RegExp pattern"),
    (r"white ?space|\.trim", "TrimString white space"),
    (r"surrogate|unicode|code point", "code unit code point surrogate"),
    (r"tojson|stringify", "SerializeJSONProperty QuoteJSONString"),
    (r"json\.parse|reviver", "InternalizeJSONProperty ParseJSON"),
    (r"\b\d+n\b|bigint", "BigInt"),
    (r"parseint|parsefloat|number\(", "StringToNumber ToNumber"),
    (r"invalid date|time value|\bdate\b|\bhour\b", "Date Time String Format TimeClip MakeDay"),
    # Syntax.
    (r"parse[- ]time|syntax ?error|early error|always an error", "Static Semantics Early Errors"),
    (r"semicolon", "automatic semicolon insertion"),
    (r"<!--|-->", "HTML-like comments"),
    (r"reserved|keyword|identifier name", "keywords and reserved words identifiers early errors"),
    (r"html-?dda|document\.all", "IsHTMLDDA internal slot"),
    (r"browser|web-?(?:compatible|legacy)|legacy", "Annex B web browsers legacy"),
    (r"\bmagic\b|\bhost\b|implementation[- ]defined", "host-defined implementation-defined"),
    # What goes wrong: last, since most questions say it.
    (
        r"reject|refus|complain|illegal|not allowed|forbid|\bthrow\w*|\brais\w+|blow up",
        "throw exception TypeError",
    ),
    (r"range error|out of range|too (?:big|large|long)", "RangeError"),
)

MOST = 10
"""Words of the specification added to a question: more would drown its own."""

_DOMAIN_WORDS = """
abrupt accessor argument array assignment bigint binding boolean class coerce completion computed constructor
descriptor enumerable environment exception expression function generator getter global identifier immutable
inherited initializer instance integer intrinsic iterable iterator literal loop method modifier module mutable
nan null number object operand operator own parameter primitive property prototype proxy realm receiver regexp
setter statement static strict string subclass superclass surrogate symbol template typed undefined
"""
DOMAIN = frozenset(_DOMAIN_WORDS.split())
"""Words that questions about the language share, and that few other questions use together."""

_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), words) for pattern, words in SAYINGS)


def in_the_words_of_the_specification(question: str) -> list[str]:
    """The specification's words for what a question says, in the order of the table, each once."""
    found = [word for pattern, words in _COMPILED if pattern.search(question) for word in words.split()]
    return list(dict.fromkeys(found))[:MOST]
